"""The rules of two Python libraries behind one face. Both import as "draughts"; only one is installed at a time.

A position is Hub text in the numbers and colours that Kroon uses: side to move, then a letter for every square. A move
is `Listed`: from, to, the captured squares ascending, and, for captures, the same squares in the order of the jumps
and the squares visited.
"""

import collections

import draughts

Listed = collections.namedtuple("Listed", "start end captured order route handle")


def triple(move):
    return (move.start, move.end, move.captured)


class Pydraughts:
    NAME = "pydraughts"
    GAMES = 20
    # Kroon's name: the library's. Of killer draughts it knows nothing.
    VARIANTS = {
        "international": "standard",
        "breakthrough": "breakthrough",
        "losing": "antidraughts",
        "frisian": "frisian",
        "frysk": "frysk!",
        "english": "english",
        "russian": "russian",
        "brazilian": "brazilian",
        "italian": "italian",
    }

    def __init__(self, variant, hub=None):
        # Inside, the side that begins is White, at the bottom: in English draughts the board is turned round.
        self.turned = variant == "english"
        self.game = QuickGame(self.VARIANTS[variant], self._turn(hub) if hub else "startpos")

    def _turn(self, hub):
        if not self.turned:
            return hub
        return hub[0].translate(SWAPPED) + hub[:0:-1].translate(SWAPPED)

    def _number(self, square):
        return self.game.board.position_count + 1 - square if self.turned else square

    def hub(self):
        return self._turn(self.game.get_fen())

    def _listed(self, moves, captures):
        for steps, taken in zip(moves, captures):
            order = tuple(self._number(square) for square in taken if square is not None)
            route = tuple(self._number(square) for square in [steps[0][0]] + [step[1] for step in steps])
            yield Listed(route[0], route[-1], tuple(sorted(order)), order, route, steps)

    def moves(self):
        return list(self._listed(*self.game.legal_moves()))

    def all_captures(self):
        """Every complete capture, also those that others take precedence over."""
        return [move for move in self._listed(*self.game.listed) if move.captured]

    def push(self, move):
        self.game.push(move.handle)

    def winner(self):
        if self.game.has_player_won(draughts.WHITE):
            return "black" if self.turned else "white"
        if self.game.has_player_won(draughts.BLACK):
            return "white" if self.turned else "black"
        return None


class PyDraughts:
    NAME = "py-draughts"
    # Its generator is a hundred times as fast.
    GAMES = 100
    VARIANTS = {
        "international": "StandardBoard",
        "breakthrough": "BreakthroughBoard",
        "losing": "AntidraughtsBoard",
        "frisian": "FrisianBoard",
        "frysk": "FryskBoard",
        "english": "AmericanBoard",
        "russian": "RussianBoard",
        "brazilian": "BrazilianBoard",
    }

    def __init__(self, variant, hub=None):
        board = getattr(draughts, self.VARIANTS[variant])
        if hub is None and variant == "english":
            # The library lets White begin.
            hub = "B" + "b" * 12 + "e" * 8 + "w" * 12
        self.board = board() if hub is None else board.from_fen(fen_of(hub))

    def hub(self):
        letters = {-1: "w", -2: "W", 0: "e", 1: "b", 2: "B"}
        side = "W" if self.board.turn == draughts.Color.WHITE else "B"
        return side + "".join(letters[int(piece)] for piece in self.board.position)

    def moves(self):
        return [self._listed(move) for move in self.board.legal_moves]

    def all_captures(self):
        return [move for move in self.moves() if move.captured]

    @staticmethod
    def _listed(move):
        route = tuple(square + 1 for square in move.square_list)
        order = tuple(square + 1 for square in move.captured_list)
        return Listed(route[0], route[-1], tuple(sorted(order)), order, route, move)

    def push(self, move):
        self.board.push(move.handle)

    def winner(self):
        # A draw comes first here, even where nobody can move.
        return {"1-0": "white", "0-1": "black", "1/2-1/2": "draw"}.get(self.board.result)


SWAPPED = str.maketrans("wWbB", "bBwW")


def fen_of(hub):
    """The FEN, in numbers, of a Hub position."""
    names = {"w": [], "b": []}
    for number, letter in enumerate(hub[1:], 1):
        if letter != "e":
            names[letter.lower()].append(("K" if letter.isupper() else "") + str(number))
    return f"{hub[0]}:W{','.join(names['w'])}:B{','.join(names['b'])}"


if hasattr(draughts, "StandardBoard"):
    LIBRARY = PyDraughts
else:
    from draughts.core.game import Game

    class QuickGame(Game):
        """The library's game, which keeps the moves that it found before precedence.

        It copies the board for each move to see whether a capture goes on. Where there is no capture that is waste,
        and four fifths of the time.
        """

        def get_moves(self):
            if not self._not_added_capture and not self.board.get_possible_capture_moves([]):
                quiet = self.board.get_possible_positional_moves()
                self.listed = [[move] for move in quiet], [[None] for _ in quiet]
            else:
                self.listed = super().get_moves()
            return self.listed

    LIBRARY = Pydraughts
