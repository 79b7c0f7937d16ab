//! A host whose time is made up. Its clock stands still between I/O, as a worker's does in production (and
//! local `workerd`'s does not): what the prober reads is the time of the last thing that resolved.

use std::cell::{Cell, RefCell};
use std::future::Future;
use std::pin::{Pin, pin};
use std::task::{Context, Poll, Waker};

use streamlag_core::Failure;
use streamlag_worker::host::{Ask, Call, Head, Host};

/// What the target does next.
#[derive(Clone)]
pub enum Step {
    Head(u16),
    Bytes(Vec<u8>),
    Eof,
    Fail(Failure),
}

/// The world around one request.
pub struct World {
    /// The real time. Starts where a worker's does: far from 0.
    real_ms: Cell<i64>,
    /// What the clock shows.
    shown_ms: Cell<i64>,
    /// Moments that somebody waits for.
    awaited: RefCell<Vec<i64>>,
    /// What the target does, and how long after the send.
    script: Vec<(i64, Step)>,
    /// Work while the request is built.
    pub build_ms: i64,
    /// Other work that keeps this place busy, as the real times from and until.
    pub busy: Option<(i64, i64)>,
    /// When the request really left.
    pub left_ms: Cell<i64>,
    pub timers: Cell<u32>,
    pub asked: RefCell<Option<Ask>>,
}

pub(crate) const START_MS: i64 = 1_790_000_000_000;

impl World {
    pub fn new(script: Vec<(i64, Step)>) -> Self {
        Self {
            real_ms: Cell::new(START_MS),
            shown_ms: Cell::new(START_MS),
            awaited: RefCell::default(),
            script,
            build_ms: 0,
            busy: None,
            left_ms: Cell::new(0),
            timers: Cell::new(0),
            asked: RefCell::new(None),
        }
    }

    /// Runs a future to its end, moving time to whatever is awaited next.
    pub fn run<T>(&self, future: impl Future<Output = T>) -> T {
        let mut future = pin!(future);
        loop {
            if let Poll::Ready(done) = future
                .as_mut()
                .poll(&mut Context::from_waker(Waker::noop()))
            {
                return done;
            }
            let next = self.awaited.borrow().iter().copied().min();
            let mut next = next.expect("nothing is awaited: the prober would hang for ever");
            self.awaited.borrow_mut().clear();
            if let Some((_, until)) = self
                .busy
                .filter(|(from, until)| (*from..*until).contains(&next))
            {
                next = until;
            }
            self.real_ms.set(next.max(self.real_ms.get()));
        }
    }

    fn at(&self, due_ms: i64) -> At<'_> {
        At {
            world: self,
            due_ms,
        }
    }
}

/// Resolves at a moment; only then the clock moves.
struct At<'w> {
    world: &'w World,
    due_ms: i64,
}

impl Future for At<'_> {
    type Output = ();

    fn poll(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<()> {
        if self.world.real_ms.get() < self.due_ms {
            self.world.awaited.borrow_mut().push(self.due_ms);
            return Poll::Pending;
        }
        self.world.shown_ms.set(self.world.real_ms.get());
        Poll::Ready(())
    }
}

impl<'w> Host for &'w World {
    type Call = Scripted<'w>;

    fn now_ms(&self) -> i64 {
        self.shown_ms.get()
    }

    async fn sleep(&self, ms: u32) {
        self.timers.set(self.timers.get() + 1);
        self.at(self.real_ms.get() + i64::from(ms)).await;
    }

    fn prepare(&self, ask: &Ask) -> Result<Scripted<'w>, String> {
        *self.asked.borrow_mut() = Some(ask.clone());
        self.real_ms.set(self.real_ms.get() + self.build_ms);
        Ok(Scripted {
            world: self,
            next: 0,
        })
    }
}

/// A call that does what the script says.
pub struct Scripted<'w> {
    world: &'w World,
    next: usize,
}

impl Scripted<'_> {
    async fn step(&mut self) -> Step {
        let Some((after_ms, step)) = self.world.script.get(self.next).cloned() else {
            return std::future::pending().await;
        };
        self.world.at(self.world.left_ms.get() + after_ms).await;
        self.next += 1;
        step
    }
}

impl Call for Scripted<'_> {
    async fn send(&mut self) -> Result<Head, Failure> {
        self.world.left_ms.set(self.world.real_ms.get());
        match self.step().await {
            Step::Head(status) => Ok(Head {
                status,
                headers: vec![("content-type".to_owned(), "text/event-stream".to_owned())],
            }),
            Step::Fail(failure) => Err(failure),
            Step::Bytes(_) | Step::Eof => panic!("a script starts with headers or a failure"),
        }
    }

    async fn read(&mut self) -> Result<Option<Vec<u8>>, Failure> {
        match self.step().await {
            Step::Bytes(bytes) => Ok(Some(bytes)),
            Step::Eof => Ok(None),
            Step::Fail(failure) => Err(failure),
            Step::Head(_) => panic!("headers come once"),
        }
    }

    fn abort(&mut self) {}
}
