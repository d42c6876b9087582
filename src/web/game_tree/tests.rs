use super::*;
use crate::notation::pdn::read_games;

/// Texts that the writer has written come out as they went in.
fn comes_back(text: &str) {
    let tree = GameTree::read(text).unwrap();
    assert_eq!(tree.faults, [""; 0], "{text}");
    let sent: GameTree = serde_json::from_str(&serde_json::to_string(&tree).unwrap()).unwrap();
    assert_eq!(sent.pdn().unwrap(), text);
}

fn tree(variant: &str, start: Option<&str>, end: Option<String>, nodes: Vec<TreeNode>) -> GameTree {
    let start = start.map(str::to_owned);
    let (tags, faults, ended) = (Vec::new(), Vec::new(), None);
    GameTree { variant: variant.to_owned(), start, tags, end, ended, nodes, faults }
}

fn written(text: &str) -> String {
    read_games(text).0[0].write(WriteOptions { annotations: true, star: false })
}

#[test]
fn all_that_is_said_comes_back() {
    for text in [
        "[White \"A\"] [GameType \"20\"] [Result \"2-0\"] [Annotator \"x\"] {first} {second} 1. 32-28 {a} {b} \
         ({before} 1. 33-29! {c} 19-23!? 2. 35-30 (2. 31-26)) (1. 34-29 $16 $146) 19-23 2. 28x19 14x23 2-0",
        "[GameType \"20\"] 1. 32-28 (1. 33-29 (1. 34-30 (1. 31-26) 19-23) (1. 31-27) 19-23 (1... 18-23 \
         (1... 17-22))) (1. 34-29) *",
        "[GameType \"20\"] [FEN \"B:W28,33,38:B14,19,10\"] 1... 19-23 {[%eval 0.12] [%clk 0:00:59.4]} *",
        "[GameType \"25\"] 1. c3-d4 $7 f6-g5 2. b2-c3 {Ход белых: \"хорошо\"} 1-0",
        "[GameType \"20\"] *",
    ] {
        comes_back(&written(text));
    }
}

#[test]
fn a_variation_of_what_is_not_there_is_one_of_the_main_move() {
    let text = "[GameType \"20\"] 1. 32-28 (1. 33-29 (1. 34-30)) *";
    let mut tree = GameTree::read(text).unwrap();
    assert_eq!((tree.nodes[0].children.as_slice(), tree.nodes[3].of), ([1, 2, 3].as_slice(), Some(2)));
    // Where the two change places, the first cannot be a variation of the second.
    for (children, of) in [([1, 3, 2], 2), ([1, 2, 3], 9), ([1, 2, 3], 1), ([1, 2, 3], 3)] {
        tree.nodes[0].children = children.to_vec();
        tree.nodes[3].of = Some(of);
        let names = children.map(|node| tree.nodes[node].text.clone());
        let expected = format!("1. {} (1. {}) (1. {}) *\n\n", names[0], names[1], names[2]);
        assert!(tree.pdn().unwrap().ends_with(&expected), "{}", tree.pdn().unwrap());
    }
}

#[test]
fn notes_go_in_and_come_out_again() {
    let text = written("[GameType \"20\"] 1. 32-28 {hm} (1. 33-29! {mine}) 19-23 2. 28x19 14x23 *");
    let tree = GameTree::read(&text).unwrap();
    let notes: Vec<MoveNote> = serde_json::from_str(
        r#"[{"ply":1,"played":"32-28","evaluation":"0.10"},
            {"ply":2,"played":"19-23","evaluation":"-0.50","nag":2,"words":"A mistake.",
             "lines":[["18-22","28x17"],["1-2"]]},
            {"ply":4,"played":"13x24","evaluation":"9.99"}]"#,
    )
    .unwrap();
    let annotated = tree.annotated(Some(&notes)).unwrap();
    let node = |of: &GameTree, text: &str| of.nodes.iter().find(|node| node.text == text).unwrap().clone();
    assert_eq!(node(&annotated, "32-28").comments, ["hm", "[%eval 0.10] [%kroon]"]);
    let (error, better) = (node(&annotated, "19-23"), node(&annotated, "18-22"));
    assert_eq!((error.nags, better.parent), (vec![2], error.parent));
    assert!(error.comments[0].ends_with("] A mistake."), "{:?}", error.comments);
    assert!(node(&annotated, "14x23").comments.is_empty(), "another move was analysed");
    // Once more is the same, also by way of a file; and without notes it is what it was.
    assert_eq!(annotated.annotated(Some(&notes)).unwrap(), annotated);
    let saved = GameTree::read(&annotated.pdn().unwrap()).unwrap();
    assert_eq!(saved.annotated(None).unwrap().pdn().unwrap(), text);
}

#[test]
fn games_of_other_programs_come_back() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/pdn");
    let mut games = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let bytes = std::fs::read(entry.unwrap().path()).unwrap();
        for game in read_games(&crate::notation::pdn::decode(&bytes)).0 {
            let text = game.write(WriteOptions { annotations: true, star: false });
            let tree = GameTree::read(&text).unwrap();
            let written = tree.pdn().unwrap();
            assert_eq!(GameTree::read(&written).unwrap().nodes, tree.nodes, "{text}");
            // Who has won depends on who begins.
            let again = &read_games(&written).0[0];
            let variant = tree.variant.parse().unwrap();
            assert_eq!(again.result(variant), read_games(&text).0[0].result(variant), "{text}{written}");
            games += 1;
        }
    }
    assert!(games > 50, "{games}");
}

/// Where the first move is missing nothing can be played, and nothing else can be when the board has saved the game.
#[test]
fn a_game_without_its_first_move_keeps_its_colours() {
    for text in [
        "[GameType \"20\"] [Result \"2-0\"] 1... 19-23 2. 33-28 2-0",
        "[Variant \"International\"] [Result \"2-0\"] 1. ... 19-23 2. 33-28 2-0",
        "[GameType \"21\"] [Result \"1-0\"] 1... 24-19 9-13 1-0",
        "[GameType \"23\"] [Variant \"American checkers\"] [Result \"1-0\"] 1. 24-19 9-13 2. 22-17 13x22 3. 26x17 11-15 1-0",
    ] {
        let written = GameTree::read(text).unwrap().pdn().unwrap();
        let [before, after] = [text, &written].map(|text| read_games(text).0.remove(0));
        let variant = before.variant().unwrap();
        assert_eq!(after.result(variant), before.result(variant), "{written}");
        let plies = |game: &crate::notation::pdn::PdnGame| game.replay_as(variant).unwrap().plies();
        assert_eq!(plies(&after), plies(&before), "{written}");
    }
}

#[test]
fn a_line_is_followed_as_far_as_it_is_legal() {
    let tree = GameTree::read("[GameType \"20\"]\n1. 32-28 (1. 33-29 50-1) 19-23\n2. 28x19 19x28 *").unwrap();
    assert_eq!(tree.nodes.len(), 5);
    assert!(
        tree.faults[0].starts_with("line 2, column 20: move \"50-1\" is not legal here"),
        "{:?}",
        tree.faults
    );
    assert!(tree.faults[1].starts_with("line 3, column 10: "), "{:?}", tree.faults);
    let tree = GameTree::read("1. 32-28 /FEN \"W:W31:B1\"/ 31-27 *").unwrap();
    assert_eq!((tree.nodes.len(), tree.faults.len()), (2, 1));
    assert_eq!(GameTree::read(" \n"), Err(TreeError::Empty));
    assert!(GameTree::read("[GameType \"77\"] 1. 1-2 *").unwrap_err().to_string().contains("77"));
}

#[test]
fn what_is_skipped_is_a_fault() {
    let deep = format!("1. 32-28 {} *", "(1. 33-29 ".repeat(40) + &")".repeat(40));
    let tree = GameTree::read(&deep).unwrap();
    assert!(tree.faults[0].ends_with("variations are nested more than 32 deep"), "{:?}", tree.faults);
    let tree = GameTree::read("1. 32-28 @@ 19-23 *").unwrap();
    assert_eq!((tree.nodes.len(), tree.faults.len()), (3, 1));
    assert!(tree.faults[0].ends_with("\"@@\" is no part of a game"), "{:?}", tree.faults);
}

/// What the page sends back when nothing was changed, or something by `change`.
fn sent(text: &str, change: impl FnOnce(&mut Vec<TreeNode>)) -> String {
    let tree = GameTree::read(text).unwrap();
    assert!(!tree.faults.is_empty(), "{text}");
    let mut sent: GameTree = serde_json::from_str(&serde_json::to_string(&tree).unwrap()).unwrap();
    change(&mut sent.nodes);
    sent.pdn().unwrap()
}

#[test]
fn what_cannot_be_played_comes_back_in_its_place() {
    for text in [
        "[GameType \"20\"] 1. 32-28 18-23 2. 99-31 14-20 $2 3. 41-37 {long} {idea} (3. 1-2 (3. 31-26)) 10-14 2-0",
        "[GameType \"20\"] 1. 32-28 18-23 (1... 19-23 2. 28x19 14x23 3. 1-28 {a} 10-14 {the idea}) 2. 38-32 2-0",
        // A variation, or the game, of which nothing can be played.
        "[GameType \"20\"] 1. 32-28 (1. 33-29) ({so} 1. 50-1 {b} 19-23) 19-23 *",
        "[GameType \"20\"] 1. 32-28 (1. 33-29 (1. 50-1) 50-1) (1. 50-1) 50-1 *",
        "[GameType \"20\"] {before} 1. 50-1 {b} 19-23 *",
        // Other things that a tree has not.
        "[GameType \"20\"] 1. 32-28 {c} /FEN \"W:W31:B1\"/ 1. 31-27 *",
        "[GameType \"20\"] 1. 32-28 - - 2. 1-2 {c} *",
        "[GameType \"20\"] 1. 32-28 19-23 2. 28x19 14x23 3. 33-28 23x32 4. 37x28 - - (4... 1-2 {c}) 5. 1-2 *",
        "[GameType \"20\"] [FEN \"B:W28,33,38:B14,19,10\"] 1... 19-22 {c} 2. 28-23 *",
    ] {
        let text = written(text);
        assert_eq!(sent(&text, |_| ()), text);
        // An edit changes nothing else but where lines break.
        let edited = sent(&text, |nodes| nodes[0].comments.push("mine".to_owned()));
        let words = |text: &str| -> Vec<String> {
            text.split_whitespace().filter(|&word| word != "{mine}").map(str::to_owned).collect()
        };
        assert_eq!(words(&edited), words(&text));
        // The same is wrong when it is read again.
        let faults = |text: &str| {
            let faults = GameTree::read(text).unwrap().faults;
            faults.iter().map(|fault| fault.split_once(": ").unwrap().1.to_owned()).collect::<Vec<_>>()
        };
        assert_eq!(faults(&edited), faults(&text));
    }
}

#[test]
fn a_move_before_the_rest_makes_it_a_variation() {
    let text = written("[GameType \"20\"] 1. 32-28 18-23 2. 99-31 14-20 {c} *");
    let play = |nodes: &mut Vec<TreeNode>| {
        let made = nodes.len();
        nodes[2].children.push(made);
        nodes.push(TreeNode { text: "38-32".to_owned(), ..TreeNode::default() });
    };
    let played = sent(&text, play);
    assert!(played.ends_with("1. 32-28 18-23 2. 38-32 (2. 99-31 14-20 {c}) *\n\n"), "{played}");
    // There it stays.
    assert_eq!(sent(&played, |_| ()), played);
    let played = sent(&written("[GameType \"20\"] 1. 99-31 14-20 *"), |nodes| {
        nodes[0].children.push(1);
        nodes.push(TreeNode { text: "32-28".to_owned(), ..TreeNode::default() });
    });
    assert!(played.ends_with("1. 32-28 (1. 99-31 14-20) *\n\n"), "{played}");
    // Whoever cuts the line there cuts the rest.
    let cut = sent(&text, |nodes| nodes[1].children.clear());
    assert!(cut.ends_with("1. 32-28 *\n\n"), "{cut}");
}

#[test]
fn notes_leave_the_rest_alone() {
    let text = written("[GameType \"20\"] 1. 32-28 (1. 50-1 {a}) 18-23 2. 99-31 14-20 {c} *");
    let tree = GameTree::read(&text).unwrap();
    let notes: Vec<MoveNote> =
        serde_json::from_str(r#"[{"ply":2,"played":"18-23","evaluation":"0.10"}]"#).unwrap();
    let annotated = tree.annotated(Some(&notes)).unwrap();
    assert_eq!(annotated.nodes[2].comments, ["[%eval 0.10] [%kroon]"]);
    assert_eq!(
        (annotated.nodes[1].rest.as_str(), annotated.nodes[2].rest.as_str()),
        ("(1. 50-1 {a})", "99-31 2. 14-20 {c}")
    );
    assert_eq!((annotated.annotated(None).unwrap().pdn().unwrap(), &annotated.faults), (text, &tree.faults));
}

#[test]
fn a_rest_of_any_text_is_written_so_that_it_can_be_read() {
    for rest in
        ["*", ") 1-2", "((", "{", "huh", "[White \"x\"] 1-2", "1-2 2-0 3-4", "1-2 (3-4", "\0", "{c} 1-2"]
    {
        let nodes = vec![
            TreeNode { children: vec![1], rest: rest.to_owned(), ..TreeNode::default() },
            TreeNode { text: "11-15".to_owned(), rest: rest.to_owned(), ..TreeNode::default() },
        ];
        let text = tree("english", None, None, nodes).pdn().unwrap();
        let (games, warnings) = read_games(&text);
        assert_eq!((games.len(), warnings), (1, vec![]), "{rest}: {text}");
        assert_eq!(GameTree::read(&text).unwrap().pdn().unwrap(), text);
    }
    let deep = format!("{}{}", "1-2 (".repeat(DEEPEST), ")".repeat(DEEPEST));
    let deep = deep.replace("()", "(3-4)");
    let nodes = |depth: &str| {
        vec![
            TreeNode { children: vec![1], rest: depth.to_owned(), ..TreeNode::default() },
            TreeNode { text: "11-15".to_owned(), ..TreeNode::default() },
        ]
    };
    assert_eq!(tree("english", None, None, nodes(&deep)).pdn(), Err(TreeError::Deep));
    assert!(tree("english", None, None, nodes("1-2 (3-4)")).pdn().is_ok());
}

#[test]
fn jumps_that_are_moves_of_their_own_are_one_move() {
    let tree = GameTree::read("[FEN \"W:WK41:B20,33,37,43\"] 1. 41x28 {a} 28x39 {b} 39x48 *").unwrap();
    assert_eq!((tree.nodes.len(), tree.faults.len()), (2, 0));
    assert_eq!(tree.nodes[1].comments, ["a", "b"]);
}

#[test]
fn a_tree_that_is_none_is_refused() {
    let node = |text: &str, children: &[usize]| TreeNode {
        text: text.to_owned(),
        children: children.to_vec(),
        ..TreeNode::default()
    };
    let pdn = |nodes: Vec<TreeNode>| {
        let (start, end) = (None, None);
        tree("english", start, end, nodes).pdn()
    };
    assert_eq!(pdn(vec![]), Err(TreeError::Node(0)));
    assert_eq!(pdn(vec![node("", &[9])]), Err(TreeError::Node(9)));
    assert_eq!(pdn(vec![node("", &[1]), node("11-15", &[1])]), Err(TreeError::Node(1)));
    assert_eq!(pdn(vec![node("", &[1, 1]), node("11-15", &[])]), Err(TreeError::Node(1)));
    for end in ["foo", "foo 1. 11-15 *", "*\n\n[White \"x\"]", ""] {
        let tree = tree("english", None, Some(end.to_owned()), vec![node("", &[])]);
        assert_eq!(tree.pdn(), Err(TreeError::End(format!("{end:?}"))));
    }
    let error = pdn(vec![node("", &[1]), node("11-15", &[2]), node("11-15", &[])]).unwrap_err();
    assert!(error.to_string().starts_with("move 2: "), "{error}");
}

#[test]
fn variations_in_variations_have_a_limit() {
    // Two kings go to and fro; what stays is always the second choice.
    let tree = |depth: usize| {
        let mut nodes = vec![TreeNode { children: vec![1, 2], ..TreeNode::default() }];
        for level in 0..depth {
            let (first, second) =
                [("1-5", "1-6"), ("32-27", "32-28"), ("6-2", "6-1"), ("28-24", "28-32")][level % 4];
            let children = if level + 1 < depth { vec![nodes.len() + 2, nodes.len() + 3] } else { vec![] };
            nodes.push(TreeNode { text: first.into(), ..TreeNode::default() });
            nodes.push(TreeNode { text: second.into(), children, ..TreeNode::default() });
        }
        super::tests::tree("english", Some("B:WK32:BK1"), None, nodes)
    };
    let text = tree(DEEPEST).pdn().unwrap();
    assert_eq!(GameTree::read(&text).unwrap().nodes.len(), 2 * DEEPEST + 1);
    assert_eq!(tree(DEEPEST + 1).pdn(), Err(TreeError::Deep));
}

#[test]
fn the_result_is_that_of_the_rules() {
    let nodes = vec![
        TreeNode { children: vec![1], ..TreeNode::default() },
        TreeNode { text: "10x1".into(), ..TreeNode::default() },
    ];
    let mut tree = tree("english", Some("W:WK10:B6"), None, nodes);
    tree.tags.push(("White".into(), "A \"B\"".into()));
    tree.ended = Some(Ended::Black);
    let text = tree.pdn().unwrap();
    // The first number is that of the side that begins in this variant: Black.
    assert!(text.contains("[Result \"0-1\"]") && text.ends_with("1... 10x1 0-1\n\n"), "{text}");
    assert!(text.contains("[White \"A \\\"B\\\"\"]") && text.contains("[FEN \"W:WK10:B6\"]"), "{text}");
    // Where the rules say nothing, it is how the game was ended on the board.
    tree.nodes = vec![TreeNode::default()];
    assert!(tree.pdn().unwrap().ends_with("\n\n1-0\n\n"), "{}", tree.pdn().unwrap());
    tree.tags.push(("Result".into(), "1/2-1/2".into()));
    assert!(tree.pdn().unwrap().ends_with("\n\n1/2-1/2\n\n"), "{}", tree.pdn().unwrap());
}
