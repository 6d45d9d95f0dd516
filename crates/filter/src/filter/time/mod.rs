//! What looks at other frames alone. All windows are centred on the frame that comes out.

pub(super) mod decimate;
pub(super) mod deflicker;
pub(super) mod fps;
pub(super) mod framerate;
pub(super) mod stabilize;
pub(super) mod taverage;
pub(super) mod tblend;
pub(super) mod tdiff;
pub(super) mod tgaussian;
pub(super) mod tmix;
