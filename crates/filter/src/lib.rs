//! Filters as they are typed, passes as a machine runs them, the plan that turns one into the other, and the trait of
//! the stages that run passes.

pub mod backend;
pub mod filter;
pub mod noise;
pub mod pass;
pub mod plan;

use warpreel_frame as frame;
