import { failure, type Failure } from '../base/api/failure';
import { complain } from '../base/components/Toasts';
import type { Store } from '../base/store';
import { t } from '../base/text';
import { aboutOf, isOlder, shown, versionOf, type Editing, type Flow } from './editing';
import { afterOthers } from './history';
import { apply } from './operations';
import { joined } from './sync/conflicts';
import { rebase, type Rebased } from './sync/rebase';
import type { Edit } from './sync/seen';
import { keepUnsaved, pendingOf, type Pending } from './unsaved';

/** Unconfirmed edits of a flow in the editor's state and in the browser's storage. Sends nothing. */
export class UnconfirmedEdits {
  constructor(
    private readonly store: Store<Editing>,
    private readonly userId: string,
  ) {}

  known(): number {
    return Date.parse(this.store.get().flow.version.updated);
  }

  /** Shows a flow that was read. While the outcome of an edit is open, only its retry can tell whether the flow contains it. */
  take(flow: Flow): void {
    const { flow: known, pending } = this.store.get();
    if (isOlder(flow, known)) {
      return;
    }
    if (pending[0]?.sentTo !== undefined) {
      this.store.update((now) => ({
        ...now,
        flow,
        version: shown(flow, now.pending),
        savedAt: Date.parse(flow.version.updated),
      }));
    } else {
      this.absorb(flow, pending);
    }
  }

  /** Rebases edits that the server has not applied onto a version that other writers may have changed. */
  absorb(flow: Flow, edits: readonly Edit[]): void {
    const result = rebase(edits, versionOf(flow));
    const pending = result.edits.map(pendingOf);
    keepUnsaved(this.userId, flow.id, pending);
    this.store.update((now) => ({
      ...now,
      flow,
      pending,
      version: result.version,
      savedAt: Date.parse(flow.version.updated),
    }));
    this.report(result);
  }

  report({ conflicts, dropped, renames }: Rebased): void {
    this.store.update((now) => ({ ...now, ...afterOthers(now, renames), ...(renames.size > 0 ? { renames } : {}) }));
    if (conflicts.length > 0) {
      this.store.update((now) => ({ ...now, conflicts: joined(now.conflicts, conflicts) }));
    }
    for (const { reason } of dropped) {
      complain(failure('EDIT_NOT_APPLIED', { message: t(`conflict.${reason}`) }));
    }
  }

  add(edits: readonly Edit[]): void {
    this.store.update((now) => {
      const pending = [...now.pending];
      for (const { operation, seen } of edits) {
        const last = pending.at(-1);
        // Consecutive updates of one subject are sent as one; an edit that was sent is not replaced.
        const typed =
          last &&
          last.sentTo === undefined &&
          aboutOf(operation) !== '' &&
          aboutOf(last.operation) === aboutOf(operation)
            ? pending.pop()
            : undefined;
        pending.push(pendingOf({ operation, seen: typed?.seen ?? seen }));
      }
      keepUnsaved(this.userId, now.flow.id, pending);
      return {
        ...now,
        pending,
        version: edits.map(({ operation }) => operation).reduce(apply, now.version),
        saving: now.saving === 'offline' ? 'offline' : 'waiting',
      };
    });
  }

  replaceFirst(first: Pending, saving: Editing['saving']): void {
    this.store.update((now) => {
      const pending = [first, ...now.pending.slice(1)];
      keepUnsaved(this.userId, now.flow.id, pending);
      return { ...now, pending, saving };
    });
  }

  /** Settles the first edit. A replayed response may be older than the known flow: later edits are then rebased onto that. */
  confirm(answered: Flow, refusal: Failure | undefined): true {
    const { flow: known, pending } = this.store.get();
    const rest = pending.slice(1);
    const savedAt = refusal ? this.store.get().savedAt : Date.now();
    if (isOlder(answered, known)) {
      this.absorb(known, rest);
    } else {
      keepUnsaved(this.userId, answered.id, rest);
      this.store.update((now) => ({ ...now, flow: answered, pending: rest, version: shown(answered, rest) }));
    }
    this.store.update((now) => ({ ...now, savedAt, ...(refusal ? { undo: [], redo: [] } : {}) }));
    if (refusal) {
      complain(refusal);
    }
    return true;
  }
}
