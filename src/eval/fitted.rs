//! What was fitted to games of a variant. A new variant needs no row here: it plays its first games with the
//! hand-made evaluation, whose weights follow from its rules, and with typical chances.

use super::wdl::WdlModel;
use crate::rules::{Objective, VariantId};

/// Results of fitting to the games of one variant.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fitted {
    /// The learned weights, as `kroon train` writes them; without them the hand-made evaluation plays.
    pub weights: Option<&'static [u8]>,
    /// What a score of the best evaluation means, as `kroon dataset wdl` prints it.
    pub chances: WdlModel,
    /// The scale of the hand-made evaluation, as `cargo bench --bench mcts -- calibrate` prints it; see
    /// [`HandMade::scale`](super::HandMade::scale).
    pub handmade_scale: f64,
}

impl Fitted {
    /// What stands in for the numbers of a variant with this objective until they are fitted.
    pub(super) const fn typical(objective: Objective) -> Fitted {
        let (handmade_scale, chances) = match objective {
            Objective::Win => (105.0, [1.2, 0.1, 0.7, 0.5]),
            // There are no draws.
            Objective::Crown => (115.0, [0.8, 0.04, 0.0, 0.0]),
            // A man more or less says little.
            Objective::Lose => (690.0, [0.1, 0.01, 0.0, 0.0]),
        };
        Fitted { weights: None, chances: WdlModel::new(chances), handmade_scale }
    }
}

const fn row(weights: &'static [u8], handmade_scale: f64, chances: [f64; 4]) -> Fitted {
    Fitted { weights: Some(weights), chances: WdlModel::new(chances), handmade_scale }
}

/// The row of a variant.
///
/// The chances are fitted to 5,000 to 12,000 games of these weights (24,000 in international draughts), a fifth of them held
/// out, see `src/train/WEIGHTS.md`. In losing draughts they are games of longer searches. Breakthrough has no draws: what the fit says of their width is left out.
// While every variant has a row the last arm is out of reach.
#[allow(unreachable_patterns)]
// A fitted number may come near a constant of mathematics.
#[allow(clippy::approx_constant)]
#[rustfmt::skip]
pub(super) const fn fitted(variant: VariantId) -> Fitted {
    use VariantId as V;
    match variant {
        V::International => row(include_bytes!("data/international.weights"), 95.0, [1.356, 0.030, 1.140, 0.297]),
        V::Killer => row(include_bytes!("data/killer.weights"), 75.0, [1.302, 0.077, 0.244, 0.237]),
        V::Breakthrough => row(include_bytes!("data/breakthrough.weights"), 120.0, [0.743, 0.115, 0.0, 0.0]),
        V::Losing => row(include_bytes!("data/losing.weights"), 690.0, [0.219, -0.028, 0.011, 0.052]),
        V::Frisian => row(include_bytes!("data/frisian.weights"), 80.0, [1.675, 0.122, 0.352, 0.196]),
        V::Frysk => row(include_bytes!("data/frysk.weights"), 115.0, [2.077, 0.589, 1.386, 0.602]),
        V::English => row(include_bytes!("data/english.weights"), 105.0, [1.888, 0.296, 1.249, 0.749]),
        V::Pool => row(include_bytes!("data/pool.weights"), 100.0, [2.401, 0.499, 1.339, 0.616]),
        V::Russian => row(include_bytes!("data/russian.weights"), 95.0, [2.256, 0.292, 1.437, 0.496]),
        V::Brazilian => row(include_bytes!("data/brazilian.weights"), 105.0, [2.533, 0.506, 1.420, 0.607]),
        V::Czech => row(include_bytes!("data/czech.weights"), 170.0, [1.463, 0.259, 1.598, 0.591]),
        V::Italian => row(include_bytes!("data/italian.weights"), 110.0, [1.362, 0.435, 1.191, 0.680]),
        V::Spanish => row(include_bytes!("data/spanish.weights"), 125.0, [1.618, 0.110, 1.565, 0.463]),
        V::Portuguese => row(include_bytes!("data/portuguese.weights"), 125.0, [1.690, 0.064, 1.446, 0.556]),
        V::Thai => row(include_bytes!("data/thai.weights"), 50.0, [2.318, 0.869, 0.527, 0.970]),
        _ => Fitted::typical(variant.rules().objective),
    }
}
