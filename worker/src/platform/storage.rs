//! The object's storage: its memory as one value, the outbox's rows as one value each, all JSON text.

use std::cell::{Cell, RefCell};
use std::ops::Range;

use js_sys::{Array, Date, Object, Reflect};
use wasm_bindgen::JsValue;
use worker::{ListOptions, Result, ScheduledTime, Storage};

use crate::memory::Memory;

const MEMORY: &str = "memory";
const ROW_PREFIX: &str = "row:";

/// The memory and where it is kept. Changes are made through [`Store::with`], which cannot be held across
/// an await, so that calls which interleave never undo each other's changes.
pub(super) struct Store {
    storage: Storage,
    memory: RefCell<Memory>,
    loaded: Cell<bool>,
}

impl Store {
    pub(super) fn new(storage: Storage) -> Self {
        Self {
            storage,
            memory: RefCell::default(),
            loaded: Cell::new(false),
        }
    }

    /// Reads the memory, once. What cannot be read was written by another version: it starts anew.
    pub(super) async fn load(&self) -> Result<()> {
        if self.loaded.get() {
            return Ok(());
        }
        let text: Option<String> = self.storage.get(MEMORY).await?;
        // Another call may have been faster; its memory may have changed since.
        if !self.loaded.replace(true) {
            let memory = text.and_then(|text| serde_json::from_str(&text).ok());
            self.memory.replace(memory.unwrap_or_default());
        }
        Ok(())
    }

    /// Looks at the memory and changes it.
    pub(super) fn with<T>(&self, change: impl FnOnce(&mut Memory) -> T) -> T {
        change(&mut self.memory.borrow_mut())
    }

    /// Saves the memory and, with it in one write, a new row of the outbox.
    pub(super) async fn save(&self, row: Option<(u64, &str)>) -> Result<()> {
        let values = Object::new();
        let memory = self.with(|memory| serde_json::to_string(memory))?;
        Reflect::set(&values, &MEMORY.into(), &memory.into())?;
        if let Some((number, text)) = row {
            Reflect::set(&values, &row_key(number).into(), &text.into())?;
        }
        self.storage.put_multiple_raw(values).await
    }

    /// The oldest rows, at most `most`.
    pub(super) async fn rows(&self, most: usize) -> Result<Vec<String>> {
        let start = row_key(self.with(|memory| memory.first_row));
        let options = ListOptions::new()
            .prefix(ROW_PREFIX)
            .start(&start)
            .limit(most);
        let found = self.storage.list_with_options(options).await?;
        Ok(Array::from(&found.values().into())
            .iter()
            .filter_map(|value: JsValue| value.as_string())
            .collect())
    }

    /// Takes the oldest rows out, and saves the memory that no longer counts them. All is asked for
    /// before the first await, so that the platform makes one write of it.
    pub(super) async fn forget(&self, count: u64) -> Result<()> {
        let gone: Range<u64> = self.with(|memory| {
            let first = memory.first_row;
            memory.first_row = first.saturating_add(count).min(memory.next_row);
            first..memory.first_row
        });
        let keys: Vec<String> = gone.map(row_key).collect();
        // The platform takes at most 128 keys a call.
        let removals = keys
            .chunks(128)
            .map(|keys| self.storage.delete_multiple(keys.to_vec()));
        let removals = futures_util::future::try_join_all(removals);
        futures_util::future::try_join(self.save(None), removals).await?;
        Ok(())
    }

    /// Waits until nothing is left to write: a pending write holds back the object's requests, and would
    /// be measured as a slow target.
    pub(super) async fn settle(&self) -> Result<()> {
        self.storage.sync().await
    }

    /// Sets the object's alarm.
    pub(super) async fn set_alarm(&self, at_ms: i64) -> Result<()> {
        let at = Date::new(&JsValue::from_f64(at_ms as f64));
        self.storage.set_alarm(ScheduledTime::new(at)).await
    }

    /// Lets the object sleep until somebody calls.
    pub(super) async fn clear_alarm(&self) -> Result<()> {
        self.storage.delete_alarm().await
    }

    /// When the alarm rings, if it is set.
    pub(super) async fn alarm_ms(&self) -> Result<Option<i64>> {
        self.storage.get_alarm().await
    }
}

/// Zero-padded, so that the order of keys is the order of numbers.
fn row_key(number: u64) -> String {
    format!("{ROW_PREFIX}{number:020}")
}
