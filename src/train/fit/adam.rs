//! Adam: steps of numbers down the slopes of a loss (D. Kingma, J. Ba, 2015).

const MOMENTUM: f32 = 0.9;
const VARIANCE: f32 = 0.999;

/// What Adam remembers of the slopes of some numbers.
#[derive(Clone, Debug)]
pub struct Adam {
    momentum: Vec<f32>,
    variance: Vec<f32>,
    steps: i32,
}

/// A step of a size, after so many.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    rate: f32,
    first: f32,
    second: f32,
}

impl Step {
    /// Moves a number against its slope.
    #[inline(always)]
    pub fn take(self, number: &mut f32, momentum: &mut f32, variance: &mut f32, slope: f32) {
        *momentum = MOMENTUM * *momentum + (1.0 - MOMENTUM) * slope;
        *variance = VARIANCE * *variance + (1.0 - VARIANCE) * slope * slope;
        *number -= self.rate * (*momentum * self.first) / ((*variance * self.second).sqrt() + 1e-8);
    }
}

impl Adam {
    /// Before the first step of so many numbers.
    pub fn new(length: usize) -> Adam {
        Adam { momentum: vec![0.0; length], variance: vec![0.0; length], steps: 0 }
    }

    /// Moves the numbers against their slopes, in a step of size `rate`.
    ///
    /// ```
    /// use kroon::train::fit::Adam;
    /// let mut numbers = [1.0];
    /// // The first step is as long as its rate, however steep the slope.
    /// Adam::new(1).step(&mut numbers, 0.1, |_| 250.0);
    /// assert!((numbers[0] - 0.9_f32).abs() < 1e-6);
    /// ```
    pub fn step(&mut self, numbers: &mut [f32], rate: f32, slope: impl Fn(usize) -> f32) {
        self.steps = self.steps.saturating_add(1);
        let step = self.last(rate);
        let remembered = self.momentum.iter_mut().zip(&mut self.variance);
        for (i, (number, (momentum, variance))) in numbers.iter_mut().zip(remembered).enumerate() {
            step.take(number, momentum, variance, slope(i));
        }
    }

    /// The last step that was made, for numbers that keep what is remembered themselves.
    pub fn last(&self, rate: f32) -> Step {
        let unbias = |decay: f32| 1.0 / (1.0 - decay.powi(self.steps));
        Step { rate, first: unbias(MOMENTUM), second: unbias(VARIANCE) }
    }

    /// Everything that [`Adam::restore`] needs.
    pub fn state(&self) -> impl Iterator<Item = f32> {
        let all = [&self.momentum, &self.variance];
        all.into_iter().flat_map(|numbers| numbers.iter().copied()).chain([f32::from_bits(self.steps as u32)])
    }

    /// Takes over what [`Adam::state`] gave; none if that ends too early.
    pub fn restore(&mut self, mut next: impl FnMut() -> Option<f32>) -> Option<()> {
        for number in self.momentum.iter_mut().chain(&mut self.variance) {
            *number = next()?;
        }
        self.steps = next()?.to_bits() as i32;
        Some(())
    }
}
