import type { Failure } from '../../base/api/failure';
import { createStore, type Store } from '../../base/store';
import type { Field, Row } from '../model';
import { applied, inverse, isNothing, merged, NOTHING, type Gesture, type Write } from './changes';
import { progressOf, type Work } from './progress';
import { addRows, load, look, removeRows, writeCells } from './server';

export interface TableState {
  fields: Field[];
  rows: Row[];
  state: 'loading' | 'here' | 'failed';
  failure?: Failure;
  work?: Work | undefined;
  undo: Gesture[];
  redo: Gesture[];
  /** Rows added since the view was chosen: shown at the end regardless of filter and order. */
  fresh: ReadonlySet<string>;
  /**
   * Changes when rows are added or removed and the view must be computed again; not on cell edits, so that no row moves
   * while the user types.
   */
  structure: number;
}

const UNDO_MAX = 100;
const LOOKED_AT_ONCE = 100;
const SETTLE_MS = 1_500;

/**
 * Fields and records of one table. The user's changes are shown at once, sent, and reverted if the server refuses.
 * Events of other writers carry ids only, and those records are fetched.
 */
export class TableData {
  readonly store: Store<TableState>;
  private readonly gone = new AbortController();
  private missed = false;
  /** Number of own changes: a response to an older request is outdated. */
  private acts = 0;
  private underWay = 0;
  /** Resolves when all operations started so far have ended. */
  private settled: Promise<unknown> = Promise.resolve();
  /** Pending writes by row: events about these rows are outdated. */
  private readonly written = new Map<string, number>();

  constructor(
    readonly tableId: string,
    private readonly complain: (failure: Failure) => void,
  ) {
    this.store = createStore<TableState>({
      fields: [],
      rows: [],
      state: 'loading',
      undo: [],
      redo: [],
      fresh: new Set(),
      structure: 0,
    });
  }

  close(): void {
    this.gone.abort();
  }

  private change(part: Partial<TableState>): void {
    this.store.update((now) => ({ ...now, ...part }));
  }

  /** Loads everything; pages are shown as they arrive on the first load, and together on a reload. */
  async reload(): Promise<void> {
    const first = this.store.get().state !== 'here';
    const acts = this.acts;
    const rows: Row[] = [];
    if (first) {
      this.change({ state: 'loading' });
    }
    const fields = await load(this.tableId, this.gone.signal, (page) => {
      rows.push(...page);
      if (first) {
        this.change({ rows: [...rows], structure: this.store.get().structure + 1 });
      }
    });
    if (this.gone.signal.aborted) {
      return;
    }
    if (!fields.ok) {
      this.change(first ? { state: 'failed', failure: fields.failure } : {});
    } else if (this.store.get().work || this.underWay > 0) {
      this.missed = true;
    } else if (acts !== this.acts) {
      await this.reload();
    } else {
      this.change({ fields: fields.value, rows, state: 'here', structure: this.store.get().structure + 1 });
    }
  }

  /** Handles an event about changed records, own ones included; without ids, any record may have changed. */
  async heard(ids: readonly string[]): Promise<void> {
    const { work, state } = this.store.get();
    if (work) {
      this.missed = true;
      return;
    }
    if (state !== 'here') {
      return;
    }
    if (ids.length === 0 || ids.length > LOOKED_AT_ONCE) {
      await this.reload();
      return;
    }
    const found = await look(ids);
    if (found.ok && !this.store.get().work) {
      const { rows, structure } = this.store.get();
      const others = ids.filter((id) => !this.written.has(id));
      const next = merged(
        rows,
        others,
        found.value.filter((row) => !this.written.has(row.id)),
      );
      this.change({ rows: next, structure: next.length === rows.length ? structure : structure + 1 });
    }
  }

  write(writes: readonly Write[]): Promise<boolean> {
    return this.perform({ ...NOTHING, writes });
  }

  /** Performs a gesture that can be undone; true if all of it succeeded. */
  perform(gesture: Gesture): Promise<boolean> {
    return isNothing(gesture) ? Promise.resolve(true) : this.afterwards(this.performNow(gesture));
  }

  private async performNow(gesture: Gesture): Promise<boolean> {
    const done = await this.carryOut(gesture);
    this.store.update((now) => ({
      ...now,
      undo: isNothing(done.gesture) ? now.undo : [...now.undo, done.gesture].slice(-UNDO_MAX),
      redo: [],
    }));
    return done.whole;
  }

  undo(): Promise<void> {
    return this.turn('undo', 'redo');
  }

  redo(): Promise<void> {
    return this.turn('redo', 'undo');
  }

  /** Waits for pending gestures: the last one is the one to undo. */
  private turn(from: 'undo' | 'redo', to: 'undo' | 'redo'): Promise<void> {
    return this.store.get().work ? Promise.resolve() : this.afterwards(this.settled.then(() => this.turnNow(from, to)));
  }

  private afterwards<T>(done: Promise<T>): Promise<T> {
    this.settled = Promise.allSettled([this.settled, done]);
    return done;
  }

  private async turnNow(from: 'undo' | 'redo', to: 'undo' | 'redo'): Promise<void> {
    const gesture = this.store.get()[from].at(-1);
    if (!gesture) {
      return;
    }
    this.change({ [from]: this.store.get()[from].slice(0, -1) });
    const { gesture: done } = await this.carryOut(inverse(gesture));
    if (!isNothing(done)) {
      this.change({ [to]: [...this.store.get()[to], done] });
    }
  }

  /** Shows and sends a gesture; returns the part of it that succeeded. */
  private async carryOut(gesture: Gesture): Promise<{ gesture: Gesture; whole: boolean }> {
    const stop = new AbortController();
    this.acts++;
    this.underWay++;
    const progress = progressOf(gesture, stop, (work) => this.change({ work }));
    this.change({ rows: applied(this.store.get().rows, gesture.writes) });
    const named: Row[] = [];
    const away: Row[] = [];
    const waiting = new Set(gesture.writes.map((write) => write.rowId));
    const touched = [...waiting];
    touched.forEach((id) => this.written.set(id, (this.written.get(id) ?? 0) + 1));
    const refusal =
      (await writeCells(this.tableId, gesture.writes, progress, (rowId) => waiting.delete(rowId))) ??
      (await addRows(this.tableId, gesture.added, progress, (pairs) => {
        named.push(...pairs.map(([, row]) => row));
        this.came(pairs.map(([, row]) => row));
      })) ??
      (await removeRows(this.tableId, gesture.removed, progress, (rows) => {
        away.push(...rows);
        this.went(rows);
      }));
    touched.forEach((id) => this.release(id));
    const [written, kept] = [
      gesture.writes.filter((write) => !waiting.has(write.rowId)),
      gesture.writes.filter((write) => waiting.has(write.rowId)),
    ];
    this.change({
      rows: applied(this.store.get().rows, inverse({ ...NOTHING, writes: kept }).writes),
      ...(progress.watched ? { work: undefined } : {}),
    });
    this.acts++;
    this.underWay--;
    this.catchUp();
    if (refusal) {
      this.complain(refusal);
    }
    return { gesture: { writes: written, added: named, removed: away }, whole: !refusal && !stop.signal.aborted };
  }

  private release(id: string): void {
    const others = (this.written.get(id) ?? 1) - 1;
    if (others > 0) {
      this.written.set(id, others);
    } else {
      this.written.delete(id);
    }
  }

  private came(rows: readonly Row[]): void {
    const { fresh, structure, rows: before } = this.store.get();
    const ids = new Set(rows.map((row) => row.id));
    this.change({
      rows: [...before.filter((row) => !ids.has(row.id)), ...rows],
      fresh: new Set([...fresh, ...ids]),
      structure: structure + 1,
    });
  }

  private went(rows: readonly Row[]): void {
    const ids = new Set(rows.map((row) => row.id));
    this.change({
      rows: this.store.get().rows.filter((row) => !ids.has(row.id)),
      structure: this.store.get().structure + 1,
    });
  }

  /** A new view was chosen: added rows are filtered and sorted with the others. */
  settle(): void {
    if (this.store.get().fresh.size > 0) {
      this.change({ fresh: new Set(), structure: this.store.get().structure + 1 });
    }
  }

  /** Reloads after own operations if events arrived meanwhile, once their echo has arrived. */
  private catchUp(): void {
    if (this.missed && this.underWay === 0) {
      this.missed = false;
      setTimeout(() => void this.heard([]), SETTLE_MS);
    }
  }

  fieldCame(field: Field): void {
    this.acts++;
    this.change({ fields: [...this.store.get().fields.filter((each) => each.id !== field.id), field] });
  }

  fieldChanged(field: Field): void {
    this.acts++;
    this.change({ fields: this.store.get().fields.map((each) => (each.id === field.id ? field : each)) });
  }

  fieldWent(fieldId: string): void {
    this.acts++;
    this.change({ fields: this.store.get().fields.filter((each) => each.id !== fieldId) });
  }
}
