//! Where one bin ends and the next begins: 2^(i/35) nanoseconds, in integers.

/// Bins an octave.
const PER_OCTAVE: i16 = 35;

/// The borders within one octave, 2^(k/35), scaled by 2^63.
const OCTAVE: [u64; PER_OCTAVE as usize] = [
    0x8000000000000000,
    0x828f69a92a6bd402,
    0x852bef4e0b5e38bc,
    0x87d5d40ea72ef913,
    0x8a8d5c62b775133e,
    0x8d52ce208af3eb23,
    0x9026708408bc0931,
    0x93088c35d733a4b5,
    0x95f96b52a7bed347,
    0x98f95972a7c2e49e,
    0x9c08a3b117c43215,
    0x9f2798b409617cbd,
    0xa25688b444f3dbd0,
    0xa595c585579e3855,
    0xa8e5a29dca9b622b,
    0xac46751f849deee5,
    0xafb893e056194c23,
    0xb33c5772b14fbe46,
    0xb6d21a2e8f056938,
    0xba7a383a80bcfcbc,
    0xbe350f94f1673025,
    0xc203001d9572e35d,
    0xc5e46b9f0b307ccf,
    0xc9d9b5d8ac7ff61f,
    0xcde3448892c5fc7e,
    0xd2017f75ce2995d3,
    0xd634d07ad120e230,
    0xda7da3901158d184,
    0xdedc66d6df09010a,
    0xe3518aa473ca6ae2,
    0xe7dd818d3a0d24f8,
    0xec80c0704e4f1c07,
    0xf13bbe833b3b83da,
    0xf60ef55df1e0a044,
    0xfafae106ff2f92bc,
];

/// The last bin of level 0: that of `u64::MAX`.
const LAST: i16 = 64 * PER_OCTAVE - 1;

/// The bin of level 0 that holds `ns`; zero has none.
pub(super) fn index(ns: u64) -> Option<i16> {
    let octave = ns.checked_ilog2()?;
    let scaled = ns << ns.leading_zeros();
    let below = OCTAVE.partition_point(|border| *border <= scaled);
    let index = octave as usize * PER_OCTAVE as usize + below.saturating_sub(1);
    i16::try_from(index).ok()
}

/// The last bin of a level; `None` when there is no such level.
pub(super) fn last(level: u8) -> Option<i16> {
    LAST.checked_shr(u32::from(level)).filter(|last| *last > 0)
}

/// The value with the least relative error to both borders of a bin: their harmonic mean.
pub(super) fn middle(index: i16, level: u8) -> f64 {
    let (low, high) = span(index, level);
    low * (high / (low + high)) * 2.0
}

/// How far a border may lie from the middle of its bin, relative to the border.
pub(super) fn relative_error(level: u8) -> f64 {
    let (low, high) = span(0, level);
    (high - low) / (high + low)
}

fn span(index: i16, level: u8) -> (f64, f64) {
    let index = i32::from(index);
    let level = level.min(11); // level 11 joins everything into two bins
    (border(index << level), border((index + 1) << level))
}

/// 2^(index/35), a product of two exactly known factors.
fn border(index: i32) -> f64 {
    let per_octave = i32::from(PER_OCTAVE);
    let octave = u64::try_from(index.div_euclid(per_octave)).unwrap_or(0);
    let step = usize::try_from(index.rem_euclid(per_octave)).unwrap_or(0);
    let scaled = OCTAVE.get(step).map_or(0.0, |scaled| *scaled as f64);
    // 2^octave and 2^-63 from their bits: no power function has to be linked.
    scaled * f64::from_bits((1023 + octave.min(1023)) << 52) * f64::from_bits((1023 - 63) << 52)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_holds_the_powers_it_says() {
        for (k, scaled) in OCTAVE.iter().enumerate() {
            let exact = 2f64.powf(k as f64 / f64::from(PER_OCTAVE));
            assert!(
                (*scaled as f64 / 2f64.powi(63) - exact).abs() < 1e-15,
                "{k}"
            );
        }
    }

    #[test]
    fn every_value_lies_between_the_borders_of_its_bin() {
        for ns in [
            1,
            2,
            3,
            5,
            1000,
            999_999,
            1_000_000,
            40_000_000,
            u64::MAX / 2,
            u64::MAX,
        ] {
            let (low, high) = span(index(ns).unwrap(), 0);
            let ns = ns as f64;
            assert!(
                low <= ns * (1.0 + 1e-15) && ns <= high * (1.0 + 1e-15),
                "{low} {ns} {high}"
            );
        }
        assert_eq!(index(0), None);
        assert_eq!(index(u64::MAX), Some(LAST));
    }
}
