//! Speed of a job if one of its stages were free, from what was measured: what `scripts/test-predictions` tests.

use serde::{Deserialize, Serialize};

use super::number::short;

/// Speed of a job without one of its stages.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Prediction {
    /// The stage that would be free: `decode`, `filter` or `encode`.
    pub without: String,
    /// Frames a second.
    pub fps: f64,
    /// Limit then: `cores`, or a stage.
    pub limit: String,
}

/// `without decode 1,050 fps (2.02 times), limited by filter; without filter …`; empty if there is none.
pub fn sentence(predictions: &[Prediction], fps: f64) -> String {
    let one = |prediction: &Prediction| {
        let Prediction { without, fps: then, limit } = prediction;
        if *then <= 1.02 * fps {
            return format!("without {without} no faster");
        }
        format!("without {without} {} fps ({:.2} times), limited by {limit}", short(*then), then / fps)
    };
    predictions.iter().map(one).collect::<Vec<_>>().join("; ")
}
