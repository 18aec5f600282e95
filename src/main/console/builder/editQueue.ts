import { api } from '../base/api/client';
import { failure, type Failure } from '../base/api/failure';
import { fateOf } from '../base/api/repeat';
import { complain } from '../base/components/Toasts';
import { session } from '../base/session';
import { createStore, type Store } from '../base/store';
import { t } from '../base/text';
import { aboutOf, isOlder, isUpdate, shown, versionOf, type Editing, type Flow } from './editing';
import { afterOthers } from './history';
import { apply } from './operations';
import { outcomeOf } from './outcome';
import { joined } from './sync/conflicts';
import { rebase, type Rebased } from './sync/rebase';
import type { Edit } from './sync/seen';
import { keepUnsaved, pendingOf, type Pending } from './unsaved';

const TYPING_PAUSE_MS = 450;
const OFFLINE_PAUSE_MS = 3_000;

/** Closed queues that still send edits, by user and flow: the flow and the remaining edits when they end. */
const leaving = createStore<ReadonlyMap<string, Promise<Editing>>>(new Map());

/**
 * Unconfirmed edits of a flow: sent one by one under the precondition that no other writer has changed the flow, rebased
 * onto the new version if one has, and sent again under their keys while the server does not respond.
 */
export class EditQueue {
  private timer = 0;
  private sending = false;
  private disposed = false;
  private running: Promise<void> = Promise.resolve();
  private held: boolean;
  private readonly restoredKeys: ReadonlySet<string>;
  /** Time of the newest version that the server has announced. */
  private announced = 0;

  /** @param userId owner of the edits: the edits of another user of the browser are never sent */
  constructor(private readonly store: Store<Editing>, private readonly userId: string) {
    const { pending } = store.get();
    this.restoredKeys = new Set(pending.map(({ key }) => key));
    this.held = pending.length > 0;
  }

  private get leavingKey(): string {
    return `${this.userId}.${this.store.get().flow.id}`;
  }

  /** Sends or drops the edits of an earlier visit, once the editor of that visit has ended. */
  async resume(isWanted: boolean): Promise<void> {
    const left = await leaving.get().get(this.leavingKey);
    if (left) {
      this.store.update((now) => ({
        ...now, flow: isOlder(now.flow, left.flow) ? left.flow : now.flow,
        pending: [...left.pending, ...now.pending.filter(({ key }) => !this.restoredKeys.has(key))],
      }));
      keepUnsaved(this.userId, this.store.get().flow.id, this.store.get().pending);
    }
    this.held = false;
    if (isWanted) {
      this.take(this.store.get().flow);
    } else {
      this.store.update((now) => ({ ...now, pending: [], version: versionOf(now.flow), saving: 'saved' }));
      keepUnsaved(this.userId, this.store.get().flow.id, []);
    }
    this.soon(0);
  }

  /** Ends the editor: sends pending edits at once and accepts no more. The rest is kept for the same user. */
  dispose(): void {
    clearTimeout(this.timer);
    const key = this.leavingKey;
    const ended = this.send().then(() => this.store.get());
    this.disposed = true;
    leaving.update((all) => new Map([...all, [key, ended]]));
    void ended.then(() => leaving.update((all) => new Map([...all].filter(([, each]) => each !== ended))));
  }

  /** Sends the pending edits; true if the server has confirmed all. */
  async settled(): Promise<boolean> {
    clearTimeout(this.timer);
    await this.send();
    while (this.sending) {
      await new Promise((resolve) => setTimeout(resolve, 30));
    }
    return this.store.get().pending.length === 0;
  }

  /** Reads the flow and rebases the unconfirmed edits onto it. */
  async reload(): Promise<void> {
    if (this.sending) {
      this.announced = Infinity;
      return;
    }
    const answer = await api('GET /v1/flows/{id}', { path: { id: this.store.get().flow.id } });
    if (answer.ok) {
      this.take(answer.value);
    }
  }

  /** Reads the flow if the announced version is newer than the known one. */
  announce(versionUpdated: string): void {
    this.announced = Math.max(this.announced, Date.parse(versionUpdated) || 0);
    if (!this.sending && this.announced > this.known()) {
      this.announced = 0;
      void this.reload();
    }
  }

  private known(): number {
    return Date.parse(this.store.get().flow.version.updated);
  }

  /** Shows a flow that was read. While the outcome of an edit is open, only its retry can tell whether the flow contains it. */
  take(flow: Flow): void {
    const { flow: known, pending } = this.store.get();
    if (isOlder(flow, known)) {
      return;
    }
    if (pending[0]?.sentTo !== undefined) {
      this.store.update((now) => ({ ...now, flow, version: shown(flow, now.pending), savedAt: Date.parse(flow.version.updated) }));
    } else {
      this.absorb(flow, pending);
    }
  }

  /** Rebases edits that the server has not applied onto a version that other writers may have changed. */
  private absorb(flow: Flow, edits: readonly Edit[]): void {
    const result = rebase(edits, versionOf(flow));
    const pending = result.edits.map(pendingOf);
    keepUnsaved(this.userId, flow.id, pending);
    this.store.update((now) => ({ ...now, flow, pending, version: result.version, savedAt: Date.parse(flow.version.updated) }));
    this.report(result);
  }

  /** Reports the user's edits that conflict with changes of other writers. */
  report({ conflicts, dropped, renames }: Rebased): void {
    this.store.update((now) => ({ ...now, ...afterOthers(now, renames), ...(renames.size > 0 ? { renames } : {}) }));
    if (conflicts.length > 0) {
      this.store.update((now) => ({ ...now, conflicts: joined(now.conflicts, conflicts) }));
    }
    for (const { reason } of dropped) {
      complain(failure('EDIT_NOT_APPLIED', { message: t(`conflict.${reason}`) }));
    }
  }

  /** Applies edits to the shown version and sends them; consecutive letters are sent after a pause in typing. */
  add(edits: readonly Edit[]): void {
    this.store.update((now) => {
      const pending = [...now.pending];
      for (const { operation, seen } of edits) {
        const last = pending.at(-1);
        // Consecutive updates of one subject are sent as one; an edit that was sent is not replaced.
        const typed = last && last.sentTo === undefined && aboutOf(operation) !== '' && aboutOf(last.operation) === aboutOf(operation) ? pending.pop() : undefined;
        pending.push(pendingOf({ operation, seen: typed?.seen ?? seen }));
      }
      keepUnsaved(this.userId, now.flow.id, pending);
      return { ...now, pending, version: edits.map(({ operation }) => operation).reduce(apply, now.version), saving: now.saving === 'offline' ? 'offline' : 'waiting' };
    });
    this.soon(edits.every(({ operation }) => isUpdate(operation)) ? TYPING_PAUSE_MS : 0);
  }

  private soon(delay: number): void {
    clearTimeout(this.timer);
    if (!this.disposed) {
      this.timer = window.setTimeout(() => void this.send(), delay);
    }
  }

  /** False if another user has signed in since the editor was opened. */
  private isOurs(): boolean {
    const now = session.get();
    return now.state === 'in' && !now.isExpired && now.user.id === this.userId;
  }

  /** Sends the pending edits in order; resolves when no request is in flight. */
  private send(): Promise<void> {
    if (!this.sending && !this.held && !this.disposed) {
      this.running = this.sendAll();
    }
    return this.running;
  }

  private async sendAll(): Promise<void> {
    this.sending = true;
    for (let next = this.store.get().pending[0]; next; next = this.store.get().pending[0]) {
      if (!this.isOurs()) {
        break;
      }
      const sentTo = next.sentTo ?? this.store.get().flow.version.updated;
      this.replaceFirst({ ...next, sentTo }, 'saving');
      const answer = await api('POST /v1/flows/{id}', {
        path: { id: this.store.get().flow.id }, body: next.operation as never, key: next.key, ifMatch: sentTo,
      });
      const settled = answer.ok ? this.confirm(answer.value, undefined) : await this.failed({ ...next, sentTo }, answer.failure);
      if (!settled) {
        break;
      }
    }
    this.sending = false;
    if (this.store.get().pending.length === 0) {
      this.store.update((now) => ({ ...now, saving: 'saved' }));
    } else {
      this.store.update((now) => ({ ...now, saving: 'offline' }));
      this.soon(OFFLINE_PAUSE_MS);
    }
    if (this.announced > this.known()) {
      this.announced = 0;
      void this.reload();
    }
  }

  private replaceFirst(first: Pending, saving: Editing['saving']): void {
    this.store.update((now) => {
      const pending = [first, ...now.pending.slice(1)];
      keepUnsaved(this.userId, now.flow.id, pending);
      return { ...now, pending, saving };
    });
  }

  /** True if the operation is settled. One whose response was lost stays pending, and is sent again under its key. */
  private async failed(sent: Pending, refusal: Failure): Promise<boolean> {
    const fate = fateOf(refusal);
    if (refusal.code === 'FLOW_VERSION_CHANGED') {
      return this.fromTheirs(sent);
    }
    if (fate === 'busy' || fate === 'lost' || refusal.status === 401) {
      return false;
    }
    return fate === 'unknown' ? this.lookAt(sent, refusal) : this.confirm(this.store.get().flow, refusal);
  }

  /** Another writer changed the flow first: nothing was applied, and the edits are rebased onto the other version. */
  private async fromTheirs(sent: Pending): Promise<boolean> {
    const { sentTo, ...unsent } = sent;
    this.replaceFirst(unsent, 'saving');
    const now = await api('GET /v1/flows/{id}', { path: { id: this.store.get().flow.id } });
    if (!now.ok || now.value.version.updated === sentTo) {
      return false;
    }
    this.absorb(now.value, this.store.get().pending);
    return true;
  }

  /** The server cannot tell whether it applied the operation: compare with the flow. */
  private async lookAt(sent: Pending, refusal: Failure): Promise<boolean> {
    const { flow } = this.store.get();
    const now = await api('GET /v1/flows/{id}', { path: { id: flow.id } });
    if (!now.ok) {
      return false;
    }
    const stamped = (each: Flow) => ({ updated: each.version.updated, version: versionOf(each) });
    switch (outcomeOf(stamped(flow), apply(versionOf(flow), sent.operation), stamped(now.value))) {
      case 'absent':
        this.replaceFirst(pendingOf(sent), 'saving');
        return true;
      case 'applied':
        return this.confirm(now.value, undefined);
      case 'unclear': {
        if (!isUpdate(sent.operation)) {
          return this.confirm(now.value, refusal);
        }
        this.absorb(now.value, this.store.get().pending);
        return true;
      }
    }
  }

  /** Settles the first edit. A replayed response may be older than the known flow: later edits are then rebased onto that. */
  private confirm(answered: Flow, refusal: Failure | undefined): true {
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
