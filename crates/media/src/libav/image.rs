//! Pictures in memory as FFmpeg's functions take them: where each plane begins, and how far its rows are apart.

use std::borrow::Cow;
use std::ffi::c_int;
use std::marker::PhantomData;
use std::{ptr, slice};

use anyhow::{Context, Result, ensure};
use ffmpeg_next::ffi;

use super::error::check;
use super::pixel::Stored;
use crate::frame::{Format, Frame, FrameMut, Layout, Pixel, Pool};

/// Pointers to the first byte of each plane, and from one row to the next in bytes.
#[derive(Clone, Copy, Debug)]
pub(super) struct PlanePointers {
    pub data: [*mut u8; 4],
    pub linesize: [c_int; 4],
}

/// A picture that can be read: all rows of its pixel format and size are memory that is borrowed for `'a`.
#[derive(Clone, Copy)]
pub(super) struct StoredImage<'a> {
    stored: Stored,
    width: c_int,
    height: c_int,
    planes: PlanePointers,
    /// How many bytes a row of each plane has, and how many rows there are.
    rows: [(usize, usize); 4],
    memory: PhantomData<&'a [u8]>,
}

/// A picture that can be written: an [`StoredImage`] whose memory nobody else has.
pub(super) struct StoredImageMut<'a> {
    image: StoredImage<'a>,
    memory: PhantomData<&'a mut [u8]>,
}

/// The frame itself, or a copy if its memory ends so close behind its last row that FFmpeg, which reads whole vectors, might
/// read beyond: memory that others own does.
///
/// # Errors
/// If the frame is not on the host, or memory runs out.
pub(super) fn roomy<'a>(frame: &'a Frame, pool: &Pool) -> Result<Cow<'a, Frame>> {
    let is_roomy = frame.host()?.slack_bytes() >= Pool::SLACK_BYTES;
    Ok(if is_roomy { Cow::Borrowed(frame) } else { Cow::Owned(pool.copy(frame)?) })
}

impl<'a> StoredImage<'a> {
    /// A picture of this pixel format and size.
    ///
    /// # Safety
    /// All its rows must be memory that can be read during `'a`.
    pub unsafe fn new(stored: Stored, (width, height): (c_int, c_int), planes: PlanePointers) -> Self {
        Self { stored, width, height, planes, rows: stored.rows(width, height), memory: PhantomData }
    }

    /// The picture that lies in `bytes`, its rows aligned to `align` bytes.
    ///
    /// # Errors
    /// If there are fewer bytes than [`Stored::bytes`], or no such picture.
    pub fn within(stored: Stored, (width, height): (usize, usize), align: usize, bytes: &'a [u8]) -> Result<Self> {
        let needed = stored.bytes(width, height, align);
        ensure!(needed > 0 && bytes.len() >= needed, "a picture of {needed} bytes does not fit into {}", bytes.len());
        let (width, height) = (c_int::try_from(width)?, c_int::try_from(height)?);
        let planes = PlanePointers::within(bytes.as_ptr().cast_mut(), stored, (width, height), align)?;
        // SAFETY: FFmpeg finds all planes within as many bytes as it says that it needs.
        Ok(unsafe { Self::new(stored, (width, height), planes) })
    }

    /// A frame where it lies. `stored` may leave out its opacity.
    ///
    /// # Errors
    /// If the frame is not on the host, or frames of this format are not stored so.
    pub fn of_frame(frame: &'a Frame, stored: Stored) -> Result<Self> {
        let base = frame.host()?.bytes().as_ptr().cast_mut();
        let planes = PlanePointers::of_frame(base, frame.format(), frame.layout(), stored)?;
        // SAFETY: a frame's planes lie within its block, which it keeps.
        Ok(unsafe { Self::new(stored, size(frame.format())?, planes) })
    }

    /// Where the planes are.
    pub fn planes(&self) -> PlanePointers {
        self.planes
    }

    /// Fails unless this is a picture of that pixel format and size.
    pub fn ensure_is(&self, stored: Stored, width: c_int, height: c_int) -> Result<()> {
        ensure!(
            (self.stored, self.width, self.height) == (stored, width, height),
            "the picture is {} {}x{}, expected {} {width}x{height}",
            self.stored.name(),
            self.width,
            self.height,
            stored.name()
        );
        Ok(())
    }

    /// The first `length` bytes of a row.
    ///
    /// # Errors
    /// If there is no such row, or it is shorter.
    pub fn row(&self, plane: usize, y: usize, length: usize) -> Result<&'a [u8]> {
        let start = self.start(plane, y, length)?;
        // SAFETY: the row is one of the picture's, is that long, and is borrowed for `'a`.
        Ok(unsafe { slice::from_raw_parts(start, length) })
    }

    /// Where a row starts of which `length` bytes are wanted.
    fn start(&self, plane: usize, y: usize, length: usize) -> Result<*mut u8> {
        let (bytes, count) = self.rows[plane];
        ensure!(length <= bytes && y < count, "row {y} of plane {plane} of {}", self.stored.name());
        Ok(self.planes.data[plane].wrapping_offset(y as isize * self.planes.linesize[plane] as isize))
    }
}

impl<'a> StoredImageMut<'a> {
    /// As [`StoredImage::within`].
    ///
    /// # Errors
    /// As [`StoredImage::within`].
    pub fn within(stored: Stored, size: (usize, usize), align: usize, bytes: &'a mut [u8]) -> Result<Self> {
        let StoredImage { width, height, .. } = StoredImage::within(stored, size, align, bytes)?;
        let planes = PlanePointers::within(bytes.as_mut_ptr(), stored, (width, height), align)?;
        // SAFETY: as for `StoredImage::within`.
        Ok(Self { image: unsafe { StoredImage::new(stored, (width, height), planes) }, memory: PhantomData })
    }

    /// As [`StoredImage::of_frame`].
    ///
    /// # Errors
    /// As [`StoredImage::of_frame`].
    pub fn of_frame(frame: &'a mut FrameMut, stored: Stored) -> Result<Self> {
        let base = frame.bytes_mut().as_mut_ptr();
        let planes = PlanePointers::of_frame(base, frame.format(), frame.layout(), stored)?;
        // SAFETY: as for `StoredImage::of_frame`.
        Ok(Self { image: unsafe { StoredImage::new(stored, size(frame.format())?, planes) }, memory: PhantomData })
    }

    /// The same picture, to be read.
    pub fn as_image(&self) -> StoredImage<'_> {
        self.image
    }

    /// The first `length` bytes of a row.
    ///
    /// # Errors
    /// As [`StoredImage::row`].
    pub fn row_mut(&mut self, plane: usize, y: usize, length: usize) -> Result<&mut [u8]> {
        let start = self.image.start(plane, y, length)?;
        // SAFETY: the row is one of the picture's and is that long; nobody else has it while `self` is borrowed.
        Ok(unsafe { slice::from_raw_parts_mut(start, length) })
    }

    /// Takes over all samples of a picture of the same pixel format and size.
    ///
    /// # Errors
    /// If it is another kind of picture.
    pub fn copy(&mut self, from: &StoredImage<'_>) -> Result<()> {
        let StoredImage { stored, width, height, planes: mut to, .. } = self.image;
        from.ensure_is(stored, width, height)?;
        let source = from.planes.data.map(<*mut u8>::cast_const);
        // SAFETY: both are pictures of this pixel format and size, and all four arrays have four entries.
        unsafe {
            let (data, linesize) = (to.data.as_mut_ptr(), to.linesize.as_mut_ptr());
            let source = source.as_ptr().cast_mut();
            ffi::av_image_copy(data, linesize, source, from.planes.linesize.as_ptr(), stored.raw(), width, height);
        }
        Ok(())
    }
}

impl PlanePointers {
    /// Of a picture at `base`, which is not followed.
    fn within(base: *mut u8, stored: Stored, (width, height): (c_int, c_int), align: usize) -> Result<Self> {
        let mut planes = Self { data: [ptr::null_mut(); 4], linesize: [0; 4] };
        let (data, linesize) = (planes.data.as_mut_ptr(), planes.linesize.as_mut_ptr());
        // SAFETY: both arrays have the four entries that the function fills; it only computes addresses.
        check(unsafe { ffi::av_image_fill_arrays(data, linesize, base, stored.raw(), width, height, align as c_int) })?;
        Ok(planes)
    }

    /// Of a frame whose block begins at `base`.
    fn of_frame(base: *mut u8, format: &Format, layout: &Layout, stored: Stored) -> Result<Self> {
        let opaque = Pixel { alpha: false, ..format.pixel };
        ensure!(
            stored.is_planar_native() && [format.pixel, opaque].contains(&stored.pixel()),
            "frames of {} do not have the layout of {}",
            format.pixel.name(),
            stored.name()
        );
        let mut planes = Self { data: [ptr::null_mut(); 4], linesize: [0; 4] };
        for (index, plane) in layout.planes.iter().enumerate() {
            planes.data[index] = base.wrapping_add(plane.offset_bytes);
            planes.linesize[index] = c_int::try_from(plane.stride * format.pixel.sample.bytes())
                .context("the row pitch is too large for FFmpeg")?;
        }
        Ok(planes)
    }
}

fn size(format: &Format) -> Result<(c_int, c_int)> {
    Ok((c_int::try_from(format.width)?, c_int::try_from(format.height)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_end_where_the_picture_does() -> Result<()> {
        let stored = Stored::parse("nv12")?;
        let mut bytes = vec![7; stored.bytes(5, 3, 1)];
        assert!(StoredImageMut::within(stored, (5, 3), 1, &mut bytes[1..]).is_err());
        assert!(StoredImage::within(stored, (0, 3), 1, &bytes).is_err());
        let mut image = StoredImageMut::within(stored, (5, 3), 1, &mut bytes)?;
        assert_eq!(image.row_mut(1, 1, 6)?, [7; 6]);
        for (plane, y, length) in [(0, 3, 1), (0, 2, 6), (1, 2, 1), (1, 0, 7), (2, 0, 1)] {
            assert!(image.row_mut(plane, y, length).is_err(), "{plane} {y} {length}");
            assert!(image.as_image().row(plane, y, length).is_err(), "{plane} {y} {length}");
        }
        Ok(())
    }

    #[test]
    fn pictures_of_another_kind_are_not_copied() -> Result<()> {
        let (nv12, gray) = (Stored::parse("nv12")?, Stored::parse("gray")?);
        let (from, mut to) = (vec![1; 100], vec![2; 100]);
        let mut image = StoredImageMut::within(gray, (4, 4), 1, &mut to)?;
        for from in [StoredImage::within(nv12, (4, 4), 1, &from)?, StoredImage::within(gray, (4, 2), 1, &from)?] {
            assert!(image.copy(&from).is_err());
        }
        image.copy(&StoredImage::within(gray, (4, 4), 1, &from)?)?;
        assert_eq!((&to[..16], &to[16..]), (&[1; 16][..], &[2; 84][..]));
        Ok(())
    }
}
