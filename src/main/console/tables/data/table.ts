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
  /** Rows that came while the view was as it is: they are shown wherever it would put them. */
  fresh: ReadonlySet<string>;
  /** Changes when rows came or went, so that the view is made again; not when cells change: nothing jumps under the hand. */
  structure: number;
}

const UNDO_MAX = 100;
const LOOKED_AT_ONCE = 100;
const SETTLE_MS = 1_500;

/**
 * The fields and records of one table. What a person does is shown at once, sent, and put back where the server refuses;
 * what others do comes by ids, and those records are asked for.
 */
export class TableData {
  readonly store: Store<TableState>;
  private readonly gone = new AbortController();
  private missed = false;
  /** Counts what we do ourselves: what was asked for before is older than what is seen. */
  private acts = 0;
  private underWay = 0;
  /** When everything is done that was begun so far. */
  private settled: Promise<unknown> = Promise.resolve();
  /** Rows that we write at the moment: what others tell of them is older than what is seen. */
  private readonly written = new Map<string, number>();

  constructor(readonly tableId: string, private readonly complain: (failure: Failure) => void) {
    this.store = createStore<TableState>({ fields: [], rows: [], state: 'loading', undo: [], redo: [], fresh: new Set(), structure: 0 });
  }

  close(): void {
    this.gone.abort();
  }

  private change(part: Partial<TableState>): void {
    this.store.update((now) => ({ ...now, ...part }));
  }

  /** Fetches everything; rows are shown as they come the first time, and at once when the table is here already. */
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

  /** Others, or we ourselves, have changed records; with none, anything. */
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
      const next = merged(rows, others, found.value.filter((row) => !this.written.has(row.id)));
      this.change({ rows: next, structure: next.length === rows.length ? structure : structure + 1 });
    }
  }

  write(writes: readonly Write[]): Promise<boolean> {
    return this.perform({ ...NOTHING, writes });
  }

  /** Does something that can be taken back. Whether all of it was done. */
  perform(gesture: Gesture): Promise<boolean> {
    return isNothing(gesture) ? Promise.resolve(true) : this.afterwards(this.performNow(gesture));
  }

  private async performNow(gesture: Gesture): Promise<boolean> {
    const done = await this.carryOut(gesture);
    this.store.update((now) => ({ ...now, undo: isNothing(done.gesture) ? now.undo : [...now.undo, done.gesture].slice(-UNDO_MAX), redo: [] }));
    return done.whole;
  }

  undo(): Promise<void> {
    return this.turn('undo', 'redo');
  }

  redo(): Promise<void> {
    return this.turn('redo', 'undo');
  }

  /** What was done last may still be on its way: it is what is meant, and not what was done before. */
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

  /** Shows and sends a gesture; answers as much of it as was done. */
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
    const refusal = await writeCells(this.tableId, gesture.writes, progress, (rowId) => waiting.delete(rowId))
      ?? await addRows(this.tableId, gesture.added, progress, (pairs) => {
        named.push(...pairs.map(([, row]) => row));
        this.came(pairs.map(([, row]) => row));
      })
      ?? await removeRows(this.tableId, gesture.removed, progress, (rows) => {
        away.push(...rows);
        this.went(rows);
      });
    touched.forEach((id) => this.release(id));
    const [written, kept] = [gesture.writes.filter((write) => !waiting.has(write.rowId)), gesture.writes.filter((write) => waiting.has(write.rowId))];
    this.change({ rows: applied(this.store.get().rows, inverse({ ...NOTHING, writes: kept }).writes), ...(progress.watched ? { work: undefined } : {}) });
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
    this.change({ rows: [...before.filter((row) => !ids.has(row.id)), ...rows], fresh: new Set([...fresh, ...ids]), structure: structure + 1 });
  }

  private went(rows: readonly Row[]): void {
    const ids = new Set(rows.map((row) => row.id));
    this.change({ rows: this.store.get().rows.filter((row) => !ids.has(row.id)), structure: this.store.get().structure + 1 });
  }

  /** The view is chosen anew: rows that are new take their place in it. */
  settle(): void {
    if (this.store.get().fresh.size > 0) {
      this.change({ fresh: new Set(), structure: this.store.get().structure + 1 });
    }
  }

  /** What was told during work is looked at when it has ended, and its echo has come. */
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
    this.change({ fields: this.store.get().fields.map((each) => each.id === field.id ? field : each) });
  }

  fieldWent(fieldId: string): void {
    this.acts++;
    this.change({ fields: this.store.get().fields.filter((each) => each.id !== fieldId) });
  }
}

