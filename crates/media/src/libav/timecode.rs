//! Timecodes of frames, `HH:MM:SS:FF`, moved to a later frame.

use crate::frame::Rational;

/// A timecode `frames` later, at a rate of frames; `None` if the text is no timecode, or the rate is not known.
pub(super) fn later(text: &str, frames: i64, rate: Rational) -> Option<String> {
    let drops = text.contains([';', '.']);
    let parts: Vec<i64> = text.split([':', ';', '.']).map(|part| part.parse().ok()).collect::<Option<_>>()?;
    let [hours, minutes, seconds, frame] = parts[..] else { return None };
    let nominal = rate.value().map(|rate| rate.round() as i64).filter(|nominal| (1..=240).contains(nominal))?;
    let is_sane = (0..60).contains(&minutes) && (0..60).contains(&seconds) && (0..nominal).contains(&frame);
    if !is_sane || !(0..24).contains(&hours) {
        return None;
    }
    // Of 30 frames a second that are 29.97, each minute but the tenth has no numbers 0 and 1.
    let dropped = if drops { nominal / 15 } else { 0 };
    let all_minutes = hours * 60 + minutes;
    let count = (all_minutes * 60 + seconds) * nominal + frame - dropped * (all_minutes - all_minutes / 10);
    let day = nominal * 86_400 - dropped * (24 * 54);
    let mut count = (count + frames).rem_euclid(day);
    if dropped > 0 {
        let (minute, ten) = (nominal * 60 - dropped, nominal * 600 - dropped * 9);
        let (tens, rest) = (count / ten, count % ten);
        let minutes = if rest < nominal * 60 { 0 } else { (rest - dropped) / minute };
        count += dropped * (9 * tens + minutes);
    }
    let (second, minute) = (count / nominal, count / nominal / 60);
    let point = if drops { ';' } else { ':' };
    Some(format!("{:02}:{:02}:{:02}{point}{:02}", minute / 60, minute % 60, second % 60, count % nominal))
}

/// The timecode in the header of the first group of pictures in data of MPEG-1 or MPEG-2.
pub(crate) fn of_groups(data: &[u8]) -> Option<String> {
    let at = data.windows(4).position(|four| four == [0, 0, 1, 0xb8])?;
    let bits = u32::from_be_bytes(data.get(at + 4..at + 8)?.try_into().ok()?) >> 7;
    let part = |shift: u32, mask: u32| bits >> shift & mask;
    let point = if part(24, 1) == 1 { ';' } else { ':' };
    Some(format!("{:02}:{:02}:{:02}{point}{:02}", part(19, 31), part(13, 63), part(6, 63), part(0, 63)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_of_pictures_have_timecodes() {
        let header = [9, 0, 0, 1, 0xb8, 0x28, 0x1c, 0x03, 0x80, 0];
        assert_eq!(of_groups(&header).as_deref(), Some("10:01:32:07"));
        assert_eq!(of_groups(&header[..8]), None);
        assert_eq!(of_groups(b""), None);
    }

    #[test]
    fn timecodes_are_counted_as_television_does() {
        let (pal, ntsc) = (Rational::new(25, 1), Rational::new(30_000, 1001));
        for (text, frames, rate, wanted) in [
            ("10:00:00:00", 25, pal, Some("10:00:01:00")),
            ("10:00:59:24", 1, pal, Some("10:01:00:00")),
            ("23:59:59:24", 1, pal, Some("00:00:00:00")),
            ("01:00:59;29", 1, ntsc, Some("01:01:00;02")),
            ("01:09:59;29", 1, ntsc, Some("01:10:00;00")),
            ("00:00:00;00", 17_982, ntsc, Some("00:10:00;00")),
            ("00:00:00;00", 1800, ntsc, Some("00:01:00;02")),
            ("00:00:00:00", 1800, ntsc, Some("00:01:00:00")),
            ("23:59:59;29", 1, ntsc, Some("00:00:00;00")),
            ("noon", 1, pal, None),
            ("10:00:00:30", 1, pal, None),
        ] {
            assert_eq!(later(text, frames, rate).as_deref(), wanted, "{text} + {frames}");
        }
    }
}
