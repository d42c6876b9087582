//! How a tree search spread its visits over the moves of a position: what a policy learns to foresee.

/// The shares of the visits that moves have had, the most first. Empty where no tree was searched.
///
/// ```
/// use kroon::train::visits::VisitShares;
/// let shares = VisitShares::of([(0, 20), (1, 0), (2, 80)]);
/// assert_eq!(shares.targets(3), Some(vec![0.2, 0.0, 0.8]));
/// assert_eq!(shares.targets(2), None, "there is no third move");
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct VisitShares(Vec<MoveShare>);

/// The share of one move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MoveShare {
    /// The move's index among [`canonical_moves`](super::record::canonical_moves).
    pub index: u16,
    /// Its visits in parts of 255, from 1.
    pub parts: u8,
}

impl VisitShares {
    /// Moves that are kept: the most visited ones. It bounds the size of a game.
    pub const MOST: usize = 32;

    /// The shares of moves with these indices and visits. Moves with less than half a part are left out.
    pub fn of(visits: impl IntoIterator<Item = (usize, u64)>) -> VisitShares {
        let mut visits: Vec<(usize, u64)> = visits.into_iter().collect();
        let all: u64 = visits.iter().map(|(_, visits)| visits).sum();
        visits.sort_by_key(|&(index, visits)| (std::cmp::Reverse(visits), index));
        visits.truncate(Self::MOST);
        let parts = |visits: u64| (visits as f64 * f64::from(u8::MAX) / all as f64).round() as u8;
        let share = |(index, visits)| MoveShare { index: index as u16, parts: parts(visits) };
        VisitShares(visits.into_iter().map(share).filter(|share| share.parts > 0).collect())
    }

    /// Those of a file; none if they are more than there can be, or one of them is no share.
    pub fn from_parts(shares: Vec<MoveShare>) -> Option<VisitShares> {
        let is_whole = shares.len() <= Self::MOST && shares.iter().all(|share| share.parts > 0);
        is_whole.then_some(VisitShares(shares))
    }

    /// The shares.
    pub fn as_slice(&self) -> &[MoveShare] {
        &self.0
    }

    /// Whether no tree was searched.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// For each of so many moves its share of 1; none without visits, or if one of the moves does not exist.
    pub fn targets(&self, moves: usize) -> Option<Vec<f32>> {
        let all: u32 = self.0.iter().map(|share| u32::from(share.parts)).sum();
        let mut targets = vec![0.0; moves];
        for share in &self.0 {
            *targets.get_mut(usize::from(share.index))? += f32::from(share.parts) / all as f32;
        }
        (all > 0).then_some(targets)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rare_moves_are_left_out_and_no_visits_are_no_shares() {
        let shares = VisitShares::of([(0, 1), (1, 9_999), (2, 0)]);
        assert_eq!(shares.as_slice(), [MoveShare { index: 1, parts: 255 }]);
        assert!(VisitShares::of([(0, 0), (1, 0)]).is_empty() && VisitShares::of([]).is_empty());
        assert_eq!(VisitShares::default().targets(3), None);
        let many = VisitShares::of((0..100).map(|index| (index, 10 + index as u64 / 50)));
        assert_eq!((many.as_slice().len(), many.as_slice()[0].index), (VisitShares::MOST, 50));
        assert_eq!(VisitShares::from_parts(many.as_slice().to_vec()), Some(many));
        assert_eq!(VisitShares::from_parts(vec![MoveShare { index: 0, parts: 0 }]), None);
    }
}
