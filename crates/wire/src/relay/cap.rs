//! A cap on requests in any hour.

use std::collections::VecDeque;
use std::time::Duration;

/// At most so many requests in any hour. Time is an input: any clock that only goes forward.
#[derive(Debug)]
pub struct HourlyCap {
    most: u32,
    admitted: VecDeque<Duration>,
}

impl HourlyCap {
    const HOUR: Duration = Duration::from_secs(3600);

    /// A cap of `most` requests an hour.
    pub const fn new(most: u32) -> Self {
        Self {
            most,
            admitted: VecDeque::new(),
        }
    }

    /// Counts one request in, or says how long to wait until there is room again.
    pub fn admit(&mut self, now: Duration) -> Result<(), Duration> {
        while let Some(first) = self.admitted.front() {
            if now.saturating_sub(*first) < Self::HOUR {
                break;
            }
            self.admitted.pop_front();
        }
        if self.admitted.len() < self.most as usize {
            self.admitted.push_back(now);
            return Ok(());
        }
        let free_at = self
            .admitted
            .front()
            .map_or(now, |first| *first)
            .saturating_add(Self::HOUR);
        Err(free_at.saturating_sub(now))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cap_counts_any_hour_and_says_when_there_is_room() {
        let at = Duration::from_secs;
        let mut cap = HourlyCap::new(2);
        assert_eq!(cap.admit(at(10)), Ok(()));
        assert_eq!(cap.admit(at(600)), Ok(()));
        assert_eq!(cap.admit(at(3_609)), Err(at(1)));
        assert_eq!(cap.admit(at(3_610)), Ok(()));
        assert_eq!(cap.admit(at(3_611)), Err(at(589)));
        assert!(HourlyCap::new(0).admit(at(0)).is_err());
    }
}
