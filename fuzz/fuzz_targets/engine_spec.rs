//! Arbitrary text as the description of an engine (`--engine` of `kroon match`), and as its time control.
#![no_main]

use kroon::arena::spec::EngineSpec;
use kroon::arena::time_control::TimeControl;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    if let Ok(spec) = text.parse::<EngineSpec>() {
        assert!(!spec.name.is_empty());
    }
    let _ = text.parse::<TimeControl>();
});
