import type { FlowOperation } from '#api';
import { failure, type Failure } from '../base/api/failure';
import { reliably } from '../base/api/reliably';
import { complain } from '../base/components/Toasts';
import { may } from '../base/permissions';
import { createStore, type Store } from '../base/store';
import { t } from '../base/text';
import { shown, type Editing, type Flow } from './editing';
import { EditQueue } from './editQueue';
import { recorded } from './history';
import { noteMoves } from './notes/follow';
import type { Operation, Version } from './operations';
import { withMine } from './sync/conflicts';
import { rebase, type Conflict } from './sync/rebase';
import type { Edit } from './sync/seen';
import { readUnsaved } from './unsaved';

/**
 * Editor of one flow. A gesture is a list of operations of the API: applied at once, and sent by the {@link EditQueue},
 * which reverts it with a message if the server refuses. Unconfirmed edits are kept in the browser, too.
 */
export class Builder {
  readonly store: Store<Editing>;
  /** Number of edits of an earlier visit, which are sent only on the user's request. */
  readonly restored: number;
  private readonly edits: EditQueue;

  /** @param userId owner of the edits: the edits of another user of the browser are never sent */
  constructor(flow: Flow, userId: string) {
    const pending = readUnsaved(userId, flow.id);
    this.store = createStore<Editing>({
      flow,
      pending,
      version: shown(flow, pending),
      saving: pending.length > 0 ? 'waiting' : 'saved',
      savedAt: Date.parse(flow.version.updated),
      undo: [],
      redo: [],
      conflicts: [],
      renames: new Map(),
    });
    this.restored = pending.length;
    this.edits = new EditQueue(this.store, userId);
  }

  resume(isWanted: boolean): Promise<void> {
    return this.edits.resume(isWanted);
  }

  /** Ends the editor: pending edits are sent at once, or kept for the same user. */
  dispose(): void {
    this.edits.dispose();
  }

  settled(): Promise<boolean> {
    return this.edits.settled();
  }

  reload(): Promise<void> {
    return this.edits.reload();
  }

  announce(versionUpdated: string): void {
    this.edits.announce(versionUpdated);
  }

  get version(): Version {
    return this.store.get().version;
  }

  /** Notes follow the steps that a gesture moves. */
  perform(...operations: Operation[]): void {
    const before = this.store.get();
    if (this.refuses()) {
      return;
    }
    const { edits, history } = recorded(
      before.version,
      [...operations, ...noteMoves(before.version, operations)],
      before,
      Date.now(),
    );
    this.store.set({ ...before, ...history });
    this.edits.add(edits);
  }

  private refuses(): boolean {
    const { lockedBy } = this.store.get();
    const refusal =
      lockedBy !== undefined
        ? failure('LOCKED', { message: t('builder.lockedShort', { name: lockedBy }) })
        : !may('WRITE_FLOW')
          ? failure('PERMISSION_DENIED')
          : undefined;
    if (refusal) {
      complain(refusal);
    }
    return refusal !== undefined;
  }

  undo(): void {
    const { undo, redo } = this.store.get();
    const gesture = undo.at(-1);
    if (gesture && !this.refuses()) {
      this.store.update((now) => ({ ...now, undo: undo.slice(0, -1), redo: [...redo, { ...gesture, about: '' }] }));
      this.replay(gesture.back);
    }
  }

  redo(): void {
    const { undo, redo } = this.store.get();
    const gesture = redo.at(-1);
    if (gesture && !this.refuses()) {
      this.store.update((now) => ({ ...now, redo: redo.slice(0, -1), undo: [...undo, gesture] }));
      this.replay(gesture.forth);
    }
  }

  /** Performs edits that were made on an earlier version; changes of other writers since then are kept. */
  private replay(edits: readonly Edit[]): void {
    const result = rebase(edits, this.version);
    this.edits.report(result);
    this.edits.add(result.edits);
  }

  resolve(conflict: Conflict, useMine: boolean): void {
    if (useMine && this.refuses()) {
      return;
    }
    this.store.update((now) => ({ ...now, conflicts: now.conflicts.filter((each) => each !== conflict) }));
    const operations = useMine ? withMine(this.version, conflict) : [];
    if (operations.length > 0) {
      this.perform(...operations);
    }
  }

  /** Sends an operation outside the undo history: publishing, restoring a version, storing a sample. */
  async request(operation: FlowOperation): Promise<Failure | undefined> {
    const { lockedBy } = this.store.get();
    if (lockedBy !== undefined) {
      return failure('LOCKED', { message: t('builder.lockedShort', { name: lockedBy }) });
    }
    if (!(await this.settled())) {
      return notSaved();
    }
    const { flow } = this.store.get();
    const answer = await reliably('POST /v1/flows/{id}', { path: { id: flow.id }, body: operation });
    if (!answer.ok) {
      return answer.failure;
    }
    this.edits.take(answer.value);
    return undefined;
  }
}

export const notSaved = (): Failure => failure('NOT_SAVED', { message: t('builder.notSaved') });
