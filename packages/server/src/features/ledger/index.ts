export { appendEntries, type EntryType, type LedgerEntry } from "./ledger.store.js";
