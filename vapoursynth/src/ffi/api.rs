//! The part of VapourSynth's C interface that the plugin calls, version 4.0, as `VapourSynth4.h` declares it.
//!
//! Later versions add functions behind those of 4.0 and change none, so one library serves them all. Functions that the
//! plugin does not call keep their place as [`Unused`].

use std::ffi::{c_char, c_int, c_void};

/// Version 4.0, as `VS_MAKE_VERSION` has it.
pub const API_VERSION: c_int = 4 << 16;

/// An opaque type of the interface.
macro_rules! opaque {
    ($($name:ident)*) => {$(
        #[repr(C)]
        pub struct $name {
            _private: [u8; 0],
        }
    )*};
}

opaque!(VSCore VSFrame VSFrameContext VSMap VSNode VSPlugin);

/// The place of a function that is not called.
type Unused = *const c_void;

pub type GetFrame = unsafe extern "system" fn(
    c_int,
    c_int,
    *mut c_void,
    *mut *mut c_void,
    *mut VSFrameContext,
    *mut VSCore,
    *const Api,
) -> *const VSFrame;
pub type FilterFree = unsafe extern "system" fn(*mut c_void, *mut VSCore, *const Api);
pub type PublicFunction = unsafe extern "system" fn(*const VSMap, *mut VSMap, *mut c_void, *mut VSCore, *const Api);

/// `VSVideoFormat`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct VideoFormat {
    pub color_family: c_int,
    pub sample_type: c_int,
    pub bits_per_sample: c_int,
    pub bytes_per_sample: c_int,
    pub sub_sampling_w: c_int,
    pub sub_sampling_h: c_int,
    pub num_planes: c_int,
}

/// `VSVideoInfo`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct VideoInfo {
    pub format: VideoFormat,
    pub fps_num: i64,
    pub fps_den: i64,
    pub width: c_int,
    pub height: c_int,
    pub num_frames: c_int,
}

/// `VSFilterDependency`.
#[repr(C)]
pub struct Dependency {
    pub source: *mut VSNode,
    pub request_pattern: c_int,
}

/// `VSPLUGINAPI`.
#[repr(C)]
pub struct PluginApi {
    pub get_api_version: unsafe extern "system" fn() -> c_int,
    pub config_plugin: unsafe extern "system" fn(
        *const c_char,
        *const c_char,
        *const c_char,
        c_int,
        c_int,
        c_int,
        *mut VSPlugin,
    ) -> c_int,
    pub register_function: unsafe extern "system" fn(
        *const c_char,
        *const c_char,
        *const c_char,
        PublicFunction,
        *mut c_void,
        *mut VSPlugin,
    ) -> c_int,
}

/// `VSAPI`.
#[repr(C)]
pub struct Api {
    _unused0: Unused,
    pub create_video_filter2: unsafe extern "system" fn(
        *const c_char,
        *const VideoInfo,
        GetFrame,
        FilterFree,
        c_int,
        *const Dependency,
        c_int,
        *mut c_void,
        *mut VSCore,
    ) -> *mut VSNode,
    _unused1: [Unused; 5],
    pub free_node: unsafe extern "system" fn(*mut VSNode),
    pub add_node_ref: unsafe extern "system" fn(*mut VSNode) -> *mut VSNode,
    _unused2: Unused,
    pub get_video_info: unsafe extern "system" fn(*mut VSNode) -> *const VideoInfo,
    _unused3: Unused,
    pub new_video_frame:
        unsafe extern "system" fn(*const VideoFormat, c_int, c_int, *const VSFrame, *mut VSCore) -> *mut VSFrame,
    _unused4: [Unused; 3],
    pub free_frame: unsafe extern "system" fn(*const VSFrame),
    _unused5: [Unused; 2],
    pub get_frame_properties_ro: unsafe extern "system" fn(*const VSFrame) -> *const VSMap,
    pub get_frame_properties_rw: unsafe extern "system" fn(*mut VSFrame) -> *mut VSMap,
    pub get_stride: unsafe extern "system" fn(*const VSFrame, c_int) -> isize,
    pub get_read_ptr: unsafe extern "system" fn(*const VSFrame, c_int) -> *const u8,
    pub get_write_ptr: unsafe extern "system" fn(*mut VSFrame, c_int) -> *mut u8,
    pub get_video_frame_format: unsafe extern "system" fn(*const VSFrame) -> *const VideoFormat,
    _unused7: [Unused; 2],
    pub get_frame_width: unsafe extern "system" fn(*const VSFrame, c_int) -> c_int,
    pub get_frame_height: unsafe extern "system" fn(*const VSFrame, c_int) -> c_int,
    _unused8: [Unused; 3],
    pub query_video_format:
        unsafe extern "system" fn(*mut VideoFormat, c_int, c_int, c_int, c_int, c_int, *mut VSCore) -> c_int,
    _unused9: [Unused; 3],
    pub get_frame: unsafe extern "system" fn(c_int, *mut VSNode, *mut c_char, c_int) -> *const VSFrame,
    _unused10: Unused,
    pub get_frame_filter: unsafe extern "system" fn(c_int, *mut VSNode, *mut VSFrameContext) -> *const VSFrame,
    pub request_frame_filter: unsafe extern "system" fn(c_int, *mut VSNode, *mut VSFrameContext),
    _unused11: [Unused; 2],
    pub set_filter_error: unsafe extern "system" fn(*const c_char, *mut VSFrameContext),
    _unused12: [Unused; 8],
    pub map_set_error: unsafe extern "system" fn(*mut VSMap, *const c_char),
    _unused13: [Unused; 4],
    pub map_num_elements: unsafe extern "system" fn(*const VSMap, *const c_char) -> c_int,
    _unused14: [Unused; 2],
    pub map_get_int: unsafe extern "system" fn(*const VSMap, *const c_char, c_int, *mut c_int) -> i64,
    _unused6: [Unused; 2],
    pub map_set_int: unsafe extern "system" fn(*mut VSMap, *const c_char, i64, c_int) -> c_int,
    _unused15: Unused,
    pub map_get_float: unsafe extern "system" fn(*const VSMap, *const c_char, c_int, *mut c_int) -> f64,
    _unused16: [Unused; 2],
    pub map_set_float: unsafe extern "system" fn(*mut VSMap, *const c_char, f64, c_int) -> c_int,
    _unused20: Unused,
    pub map_get_data: unsafe extern "system" fn(*const VSMap, *const c_char, c_int, *mut c_int) -> *const c_char,
    pub map_get_data_size: unsafe extern "system" fn(*const VSMap, *const c_char, c_int, *mut c_int) -> c_int,
    _unused17: Unused,
    pub map_set_data: unsafe extern "system" fn(*mut VSMap, *const c_char, *const c_char, c_int, c_int, c_int) -> c_int,
    pub map_get_node: unsafe extern "system" fn(*const VSMap, *const c_char, c_int, *mut c_int) -> *mut VSNode,
    _unused18: Unused,
    pub map_consume_node: unsafe extern "system" fn(*mut VSMap, *const c_char, *mut VSNode, c_int) -> c_int,
    _unused19: [Unused; 27],
    pub log_message: unsafe extern "system" fn(c_int, *const c_char, *mut VSCore),
}

// Places in the header of R81, counted by its own compiler; each type is a pointer or fills one.
#[cfg(target_pointer_width = "64")]
const _: () = {
    use std::mem::{offset_of, size_of};
    assert!(size_of::<VideoFormat>() == 28 && size_of::<VideoInfo>() == 64 && size_of::<Dependency>() == 16);
    assert!(offset_of!(Api, create_video_filter2) == 8);
    assert!(offset_of!(Api, free_node) == 8 * 7);
    assert!(offset_of!(Api, add_node_ref) == 8 * 8);
    assert!(offset_of!(Api, get_video_info) == 8 * 10);
    assert!(offset_of!(Api, new_video_frame) == 8 * 12);
    assert!(offset_of!(Api, free_frame) == 8 * 16);
    assert!(offset_of!(Api, get_frame_properties_ro) == 8 * 19);
    assert!(offset_of!(Api, get_frame_properties_rw) == 8 * 20);
    assert!(offset_of!(Api, get_stride) == 8 * 21);
    assert!(offset_of!(Api, get_read_ptr) == 8 * 22);
    assert!(offset_of!(Api, get_write_ptr) == 8 * 23);
    assert!(offset_of!(Api, get_video_frame_format) == 8 * 24);
    assert!(offset_of!(Api, get_frame_width) == 8 * 27);
    assert!(offset_of!(Api, get_frame_height) == 8 * 28);
    assert!(offset_of!(Api, query_video_format) == 8 * 32);
    assert!(offset_of!(Api, get_frame) == 8 * 36);
    assert!(offset_of!(Api, get_frame_filter) == 8 * 38);
    assert!(offset_of!(Api, request_frame_filter) == 8 * 39);
    assert!(offset_of!(Api, set_filter_error) == 8 * 42);
    assert!(offset_of!(Api, map_set_error) == 8 * 51);
    assert!(offset_of!(Api, map_num_elements) == 8 * 56);
    assert!(offset_of!(Api, map_get_int) == 8 * 59);
    assert!(offset_of!(Api, map_set_int) == 8 * 62);
    assert!(offset_of!(Api, map_get_float) == 8 * 64);
    assert!(offset_of!(Api, map_set_float) == 8 * 67);
    assert!(offset_of!(Api, map_get_data) == 8 * 69);
    assert!(offset_of!(Api, map_get_data_size) == 8 * 70);
    assert!(offset_of!(Api, map_set_data) == 8 * 72);
    assert!(offset_of!(Api, map_get_node) == 8 * 73);
    assert!(offset_of!(Api, map_consume_node) == 8 * 75);
    assert!(offset_of!(Api, log_message) == 8 * 103);
};
