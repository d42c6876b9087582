//! The tree: nodes in one arena, found by 32-bit indices, shared by threads without locks. It knows nothing of how a
//! search selects or values.
//!
//! The protocol of a node, which `models` checks under loom:
//! - A thread that comes to a node *enters* it: one atomic addition counts a visit under way and answers whether it is
//!   the very first. So exactly one thread values a new node, all others go on below it.
//! - The children are one run of nodes, filled in before a compare-and-swap publishes their address. Who loses that
//!   race gives its run back and uses the winner's.
//! - On the way back every node is *left*: the visit under way becomes a visit done in one addition.

use super::atomic::{AtomicU16, AtomicU32, AtomicU64, Ordering};
use super::proof::Proof;
use crate::search::memory;

/// The index of a node.
pub type NodeId = u32;

/// The root's index.
pub const ROOT: NodeId = 0;

/// The parts in which values are summed: a value of 1 counts this much.
pub(super) const UNIT: f64 = 65_536.0;

/// One visit done; below it in the same word are what the policy says and the visits under way.
const VISIT: u64 = 1 << VISITS_AT;
pub(super) const VISITS_AT: u32 = 24;
/// Where the policy's bits begin.
const POLICY_AT: u32 = 16;

/// The "parent" of a run of nodes that nothing refers to any more; its first node's visits are its length.
pub(super) const DEAD: u32 = u32::MAX;

/// What is known of a position in the tree. Its move is known by the place among its siblings: they stand in the order
/// of the move generator.
#[derive(Debug)]
pub struct Node {
    /// Visits done (upper 40 bits), [`PolicyGap`] (8 bits), and visits under way (lower 16).
    pub(super) counts: AtomicU64,
    /// Sum of the values of the visits done, in [`UNIT`]s, for the side that moved here.
    pub(super) sum: AtomicU64,
    /// First child (upper 32 bits) and number of children (lower 16); 0: not expanded.
    pub(super) children: AtomicU64,
    /// The node whose child this is; kept up to date in the first node of a run only.
    pub(super) parent: AtomicU32,
    /// Value for the side that moved here, in parts of 65535; 0: none. Before the first visit that of quiescence, then that
    /// of the leaf's search or of the best child.
    estimate: AtomicU16,
    pub(super) proof: AtomicU16,
}

#[cfg(not(loom))]
const _: () = assert!(size_of::<Node>() == 32);

/// What was there when a node was entered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entered {
    /// Visits done.
    pub visits: u64,
    /// Visits under way, the new one not counted.
    pub pending: u64,
}

impl Entered {
    /// Whether nobody has been here before.
    pub fn is_first(self) -> bool {
        self.visits == 0 && self.pending == 0
    }
}

/// The children of a node: a run of the arena.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Children {
    /// Index of the first.
    pub first: NodeId,
    /// How many there are.
    pub len: u16,
}

impl Children {
    pub(super) fn code(self) -> u64 {
        u64::from(self.first) << 32 | u64::from(self.len)
    }

    pub(super) fn decode(code: u64) -> Option<Children> {
        (code != 0).then_some(Children { first: (code >> 32) as u32, len: code as u16 })
    }

    /// Their indices, in the order of the move generator.
    pub fn ids(self) -> std::ops::Range<NodeId> {
        self.first..self.first + u32::from(self.len)
    }
}

/// What a new child starts with.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct NewChild {
    /// Value before the first visit for the side that makes the move, 0 to 1.
    pub estimate: Option<f64>,
    /// What is proven at once.
    pub proof: Option<Proof>,
    /// What the policy says of the move.
    pub policy: PolicyGap,
}

/// How many times less likely the policy says a move is than the likeliest of its siblings: 16 times the natural
/// logarithm of that. 0 where nothing was learned.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct PolicyGap(pub u8);

impl PolicyGap {
    /// How many different ones there are.
    pub const COUNT: usize = 256;
    const PARTS: f64 = 16.0;

    /// The gap of a move whose value is less than that of its best sibling by `less`, in natural logarithms.
    pub fn of(less: f64) -> PolicyGap {
        // The cast stops at 255.
        PolicyGap((less * Self::PARTS).round() as u8)
    }

    /// How many times less likely the move is.
    pub fn ratio(self) -> f64 {
        (f64::from(self.0) / Self::PARTS).exp()
    }
}

/// An estimate as it is kept: never 0, which stands for none.
fn code_of(estimate: f64) -> u16 {
    ((estimate * f64::from(u16::MAX)) as u16).max(1)
}

impl Node {
    #[cfg(loom)]
    fn new() -> Node {
        Node {
            counts: AtomicU64::new(0),
            sum: AtomicU64::new(0),
            children: AtomicU64::new(0),
            parent: AtomicU32::new(0),
            estimate: AtomicU16::new(0),
            proof: AtomicU16::new(0),
        }
    }

    /// Visits done.
    #[inline(always)]
    pub fn visits(&self) -> u64 {
        self.counts.load(Ordering::Relaxed) >> VISITS_AT
    }

    /// What the policy says of the move here.
    #[inline(always)]
    pub fn policy(&self) -> PolicyGap {
        PolicyGap((self.counts.load(Ordering::Relaxed) >> POLICY_AT) as u8)
    }

    /// Visits done and visits under way.
    #[inline(always)]
    pub fn counts(&self) -> (u64, u64) {
        let counts = self.counts.load(Ordering::Relaxed);
        (counts >> VISITS_AT, counts & 0xffff)
    }

    /// Sum of the values of all visits, for the side that moved here.
    #[inline(always)]
    pub fn sum(&self) -> f64 {
        self.sum.load(Ordering::Relaxed) as f64 / UNIT
    }

    /// Mean value for the side that moved here, 0 to 1; its estimate or one half before the first visit.
    pub fn mean(&self) -> f64 {
        match self.visits() {
            0 => self.estimate().unwrap_or(0.5),
            // Another thread may have added to the sum what it is about to count.
            visits => (self.sum() / visits as f64).min(1.0),
        }
    }

    /// What quiescence, the search at the leaf or the best child says, 0 to 1 for the side that moved here.
    #[inline(always)]
    pub fn estimate(&self) -> Option<f64> {
        let code = self.estimate.load(Ordering::Relaxed);
        (code != 0).then_some(f64::from(code) / f64::from(u16::MAX))
    }

    /// Replaces the estimate.
    #[inline(always)]
    pub fn correct(&self, estimate: f64) {
        self.estimate.store(code_of(estimate), Ordering::Relaxed);
    }

    /// What is proven of the node or else its estimate, for the side that moved here.
    pub fn best_known(&self) -> f64 {
        match self.proof() {
            Some(proof) => 1.0 - proof.value(),
            None => self.estimate().unwrap_or(0.5),
        }
    }

    /// What is proven, from the view of the side to move here.
    #[inline(always)]
    pub fn proof(&self) -> Option<Proof> {
        Proof::decode(self.proof.load(Ordering::Relaxed))
    }

    /// Notes what is proven. A shorter win replaces a longer one; otherwise the first proof stands.
    pub fn prove(&self, proof: Proof) {
        let old = self.proof();
        let is_better = match (old, proof) {
            (None, _) => true,
            (Some(Proof::Win(old)), Proof::Win(new)) => new < old,
            _ => false,
        };
        if is_better {
            self.proof.store(proof.code(), Ordering::Relaxed);
        }
    }

    /// Withdraws what was proven.
    pub(super) fn disprove(&self) {
        self.proof.store(0, Ordering::Relaxed);
    }

    /// The children, if the node is expanded.
    #[inline(always)]
    pub fn children(&self) -> Option<Children> {
        Children::decode(self.children.load(Ordering::Acquire))
    }

    /// Begins a visit.
    #[inline(always)]
    pub fn enter(&self) -> Entered {
        let before = self.counts.fetch_add(1, Ordering::AcqRel);
        Entered { visits: before >> VISITS_AT, pending: before & 0xffff }
    }

    /// Ends a visit of this value for the side that moved here.
    #[inline(always)]
    pub fn leave(&self, value: f64) {
        self.sum.fetch_add((value * UNIT) as u64, Ordering::Relaxed);
        self.counts.fetch_add(VISIT - 1, Ordering::AcqRel);
    }

    fn reset(&self, parent: NodeId, start: NewChild) {
        self.counts.store(u64::from(start.policy.0) << POLICY_AT, Ordering::Relaxed);
        self.sum.store(0, Ordering::Relaxed);
        self.children.store(0, Ordering::Relaxed);
        self.parent.store(parent, Ordering::Relaxed);
        let estimate = start.estimate.map_or(0, code_of);
        self.estimate.store(estimate, Ordering::Relaxed);
        self.proof.store(start.proof.map_or(0, Proof::code), Ordering::Relaxed);
    }

    /// Takes over everything from another node but its parent.
    pub(super) fn copy_from(&self, other: &Node) {
        let move_word = |to: &AtomicU64, from: &AtomicU64| {
            to.store(from.load(Ordering::Relaxed), Ordering::Relaxed);
        };
        move_word(&self.counts, &other.counts);
        move_word(&self.sum, &other.sum);
        move_word(&self.children, &other.children);
        self.estimate.store(other.estimate.load(Ordering::Relaxed), Ordering::Relaxed);
        self.proof.store(other.proof.load(Ordering::Relaxed), Ordering::Relaxed);
    }
}

/// Nodes in an arena of fixed size.
pub struct Tree {
    pub(super) nodes: Box<[Node]>,
    /// Nodes in use: those below this index.
    pub(super) used: AtomicU32,
    /// The memory that was asked for.
    bytes: usize,
}

impl std::fmt::Debug for Tree {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Tree {{ nodes: {} of {} }}", self.used(), self.capacity())
    }
}

/// A root with any number of children must fit, and some more.
const FEWEST: usize = 4_096;

impl Tree {
    /// A tree in a little less than so many bytes: the rest is for paths, stacks and whatever else a search needs. Memory
    /// is taken from the system as nodes are used; if it will not promise so much, half of that, and so on.
    pub fn new(bytes: usize) -> Tree {
        // As for the transposition table: who uses more than there is, is killed.
        let most = memory::most().map_or(bytes, |mebibytes| bytes.min((mebibytes / 4 * 3) << 20));
        let mut capacity = ((most - most / 32) / size_of::<Node>()).clamp(FEWEST, DEAD as usize / 2);
        loop {
            if let Some(nodes) = zeroed(capacity) {
                return Tree { nodes, used: AtomicU32::new(1), bytes };
            }
            if capacity == FEWEST {
                std::alloc::handle_alloc_error(std::alloc::Layout::new::<Node>());
            }
            log::warn!("no memory for a tree of {capacity} nodes, trying half");
            capacity = (capacity / 2).max(FEWEST);
        }
    }

    /// Whether a tree made for so much memory would be as large as this one.
    pub fn is_made_for(&self, bytes: usize) -> bool {
        self.bytes == bytes
    }

    /// A tree of very few nodes, for models.
    #[cfg(loom)]
    pub fn tiny(capacity: usize) -> Tree {
        let nodes = (0..capacity).map(|_| Node::new()).collect();
        Tree { nodes, used: AtomicU32::new(1), bytes: 0 }
    }

    /// Nodes that fit.
    pub fn capacity(&self) -> usize {
        self.nodes.len()
    }

    /// Nodes in use.
    pub fn used(&self) -> usize {
        self.used.load(Ordering::Relaxed) as usize
    }

    /// Forgets everything; nobody may be searching.
    pub fn clear(&self) {
        self.nodes[ROOT as usize].reset(ROOT, NewChild::default());
        self.used.store(1, Ordering::Relaxed);
    }

    /// The node with this index.
    #[inline(always)]
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id as usize]
    }

    /// The nodes of these children.
    #[inline(always)]
    pub fn run(&self, children: Children) -> &[Node] {
        &self.nodes[children.first as usize..][..children.len as usize]
    }

    /// Gives a node its children, as given, or finds that another thread just has; none if the arena is full.
    pub fn expand(&self, id: NodeId, new_children: &[NewChild]) -> Option<Children> {
        let fresh = Children { first: self.allocate(new_children.len())?, len: new_children.len() as u16 };
        for (node, &start) in self.run(fresh).iter().zip(new_children) {
            node.reset(id, start);
        }
        let children = &self.node(id).children;
        match children.compare_exchange(0, fresh.code(), Ordering::AcqRel, Ordering::Acquire) {
            Ok(_) => Some(fresh),
            Err(theirs) => {
                self.give_back(fresh);
                Children::decode(theirs)
            }
        }
    }

    /// A run of nodes that nobody else has.
    fn allocate(&self, len: usize) -> Option<NodeId> {
        debug_assert!((1..=usize::from(u16::MAX)).contains(&len));
        let fits = |used: u32| (used as usize + len <= self.capacity()).then_some(used + len as u32);
        self.used.fetch_update(Ordering::AcqRel, Ordering::Relaxed, fits).ok()
    }

    /// Takes back a run that was never published: at once if it is the last one, else by the next collection.
    fn give_back(&self, run: Children) {
        self.bury(run);
        let end = run.ids().end;
        let _ = self.used.compare_exchange(end, run.first, Ordering::AcqRel, Ordering::Relaxed);
    }

    /// Marks a run as unused.
    pub(super) fn bury(&self, run: Children) {
        let first = self.node(run.first);
        first.parent.store(DEAD, Ordering::Relaxed);
        first.counts.store(u64::from(run.len) << VISITS_AT, Ordering::Relaxed);
    }

    /// Draws the conclusion from the children's proofs.
    pub fn conclude(&self, id: NodeId) -> Option<Proof> {
        let node = self.node(id);
        let children = node.children()?;
        let proof = Proof::of_parent(self.run(children).iter().map(Node::proof))?;
        node.prove(proof);
        Some(proof)
    }
}

/// Zeroed memory that the system need not provide before it is used.
#[cfg(not(loom))]
fn zeroed(len: usize) -> Option<Box<[Node]>> {
    let layout = std::alloc::Layout::array::<Node>(len).ok()?;
    if layout.size() == 0 {
        return Some(Box::default());
    }
    // SAFETY: the layout is not empty. A node has only atomic integers, for which all bits zero are a value. The box takes
    // over memory that was allocated with the layout of its contents.
    unsafe {
        let start = std::alloc::alloc_zeroed(layout).cast::<Node>();
        let slice = std::ptr::slice_from_raw_parts_mut(start, len);
        (!start.is_null()).then(|| Box::from_raw(slice))
    }
}

#[cfg(loom)]
fn zeroed(_: usize) -> Option<Box<[Node]>> {
    Some(Box::default())
}

#[cfg(test)]
#[cfg(not(loom))]
mod tests {
    use super::*;

    fn tree() -> Tree {
        let tree = Tree::new(0);
        tree.clear();
        tree
    }

    #[test]
    fn a_visit_is_under_way_and_then_done() {
        let tree = tree();
        let root = tree.node(ROOT);
        assert!(root.enter().is_first());
        assert!(!root.enter().is_first());
        assert_eq!(root.counts(), (0, 2));
        root.leave(1.0);
        root.leave(0.5);
        assert_eq!(root.counts(), (2, 0));
        assert!((root.mean() - 0.75).abs() < 1e-4);
        assert!(!root.enter().is_first());
    }

    #[test]
    fn children_start_as_they_are_told() {
        let tree = tree();
        let new_children = [
            NewChild { estimate: Some(0.25), proof: Some(Proof::Loss(0)), policy: PolicyGap(7) },
            NewChild::default(),
        ];
        let children = tree.expand(ROOT, &new_children).unwrap();
        assert_eq!((children.first, children.len, tree.used()), (1, 2, 3));
        let [first, second] = tree.run(children) else { panic!() };
        assert!((first.mean() - 0.25).abs() < 1e-4);
        assert_eq!((second.estimate(), second.mean()), (None, 0.5));
        first.enter();
        first.leave(0.0);
        assert_eq!((first.policy(), first.counts(), second.policy()), (PolicyGap(7), (1, 0), PolicyGap(0)));
        assert_eq!(tree.conclude(ROOT), Some(Proof::Win(1)));
        // Expanded once only; the second run is given back.
        assert_eq!(tree.expand(ROOT, &new_children), Some(children));
        assert_eq!(tree.used(), 3);
    }

    #[test]
    fn a_full_arena_says_so() {
        let tree = tree();
        let new_children = [NewChild::default(); 100];
        let full = (0..).map_while(|id| tree.expand(id, &new_children)).count();
        assert_eq!(full, (tree.capacity() - 1) / 100);
        assert_eq!(
            tree.expand(full as u32, &[NewChild::default()]).is_some(),
            full * 100 + 1 < tree.capacity()
        );
    }
}
