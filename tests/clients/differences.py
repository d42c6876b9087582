"""Where the libraries play by other rules than Kroon, and which rule text decides.

`kroon` and `library` are sets of (from, to, captured); `Case` has what else an explanation may ask for. An explanation
answers whether a difference is the one described and nothing besides: it derives the one set from the other, or from
the captures that the library itself finds. Each row has a position where the difference shows; a library that
corrects itself makes the row fail, so that it goes away.
"""

import collections

from libraries import triple

Case = collections.namedtuple("Case", "kroon library listed all_captures kings run")
Difference = collections.namedtuple("Difference", "library variants what decided position explains")


def captures_are_optional(case):
    captures = {move for move in case.library if move[2]}
    return bool(case.kroon) and all(move[2] for move in case.kroon) and captures == case.kroon


def carried_through(captures):
    """Without those that are the beginning of a longer one."""

    def goes_on(move):
        length = len(move.order)
        return any(
            longer.start == move.start and len(longer.order) > length and longer.order[:length] == move.order
            for longer in captures
        )

    return {triple(move) for move in captures if not goes_on(move)}


def stops_where_it_could_go_on(case):
    return carried_through(case.all_captures) == case.kroon


def crosses_captured_pieces(case):
    """Right would be to end where such a move would cross a piece that it took before."""

    def cut(move):
        for jump in range(len(move.order)):
            if set(between(move.route[jump], move.route[jump + 1])) & set(move.order[:jump]):
                order, route = move.order[:jump], move.route[: jump + 1]
                return move._replace(end=route[-1], captured=tuple(sorted(order)), order=order, route=route)
        return move

    return carried_through([cut(move) for move in case.all_captures]) == case.kroon


def between(start, end):
    """The squares from one to another on a diagonal of the 8x8 board, without the first."""
    (row, column), (last_row, last_column) = place(start), place(end)
    while (row, column) != (last_row, last_column):
        row += 1 if last_row > row else -1
        column += 1 if last_column > column else -1
        yield row * 4 + column // 2 + 1


def place(square):
    row, in_row = divmod(square - 1, 4)
    return row, 2 * in_row + 1 - row % 2


def fourth_move_of_a_king(case):
    return case.run is not None and case.kroon == {
        move for move in case.library if move[2] or move[0] != case.run
    }


def best(case, rank):
    """The library's captures of the highest rank."""
    highest = max(map(rank, case.all_captures), default=None)
    return {triple(move) for move in case.all_captures if rank(move) == highest}


def by_value(case):
    """Whether Kroon has the captures of the highest value, and the library those of its rounded sums."""

    def value(move):
        kings = sum(square in case.kings for square in move.order)
        # A king is worth just under two men.
        return 2 * kings + (len(move.order) - kings), -kings, move.start in case.kings

    def rounded(move):
        total = 0.0
        for square in move.order:
            total += 1.501 if square in case.kings else 1
        return total, move.start in case.kings

    return best(case, value) == case.kroon and best(case, rounded) == case.library


def three_kings_against_five_men(case):
    return by_value(case) and not case.kroon & case.library


def equal_values_rounded(case):
    return by_value(case) and case.library < case.kroon


def by_ladder(case):
    def rank(move):
        pattern = tuple(square in case.kings for square in move.order)
        return len(move.order), move.start in case.kings, sum(pattern), pattern

    return best(case, rank) == case.kroon


DIFFERENCES = [
    Difference(
        "py-draughts",
        ["english"],
        "quiet moves are listed beside captures",
        "WCDF Rules of Draughts 1.20: capturing is compulsory",
        "W:W22,32:B17",
        captures_are_optional,
    ),
    Difference(
        "py-draughts",
        ["russian"],
        "a king may land where its capture ends although it could land where it goes on",
        "Rules of Russian draughts (FMJD-64), captures: one that is begun is carried through to its end",
        "B:WKb4,Kf4:BKa3",
        stops_where_it_could_go_on,
    ),
    Difference(
        "py-draughts",
        ["russian"],
        "a man crowned in passing crosses the pieces that it took before",
        "Rules of Russian draughts (FMJD-64), captures: pieces leave the board after the move, none is jumped twice",
        "W:Wd6:Be7,c5,b2,f2",
        crosses_captured_pieces,
    ),
    Difference(
        "py-draughts",
        ["frisian", "frysk"],
        "a king may make any number of quiet moves in a row",
        "Official Rules for Frisian Draughts (2011), B: three simple moves in a row with one king while there are men",
        "W:WK46,31:B5:+0+346",
        fourth_move_of_a_king,
    ),
    Difference(
        "pydraughts",
        ["frisian"],
        "three kings are worth less than five men, since a king is worth 1.501",
        "Official Rules for Frisian Draughts (2011), B: a king counts for less than two men, but just so",
        "B:W11,16,19,22,24,31,33,35,K39,K43,K44,K45:BK20,38",
        three_kings_against_five_men,
    ),
    Difference(
        "pydraughts",
        ["frisian", "frysk"],
        "of captures of equal value some are lost, since a sum of 1.501s depends on their order",
        "Official Rules for Frisian Draughts (2011), B: among shots of equal value the choice is free",
        "B:WK8,13,34,K35,38:BK21",
        equal_values_rounded,
    ),
    Difference(
        "pydraughts",
        ["italian"],
        "two captures are equal when they meet their first king equally early",
        "FID Regolamento, art. 5: kings must be met as early as possible, and that holds for the second king too",
        "W:WK23:BK10,K11,12,K19,K20",
        by_ladder,
    ),
]
