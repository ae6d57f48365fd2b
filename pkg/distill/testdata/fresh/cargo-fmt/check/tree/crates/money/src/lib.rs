pub mod rounding;

pub use rounding::cents;
