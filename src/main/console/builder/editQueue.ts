import type { FlowOperation } from '#api';
import { api } from '../base/api/client';
import type { Failure } from '../base/api/failure';
import { fateOf } from '../base/api/repeat';
import { session } from '../base/session';
import { createStore, type Store } from '../base/store';
import { isOlder, isUpdate, versionOf, type Editing, type Flow } from './editing';
import { apply } from './operations';
import { outcomeOf } from './outcome';
import type { Rebased } from './sync/rebase';
import type { Edit } from './sync/seen';
import { UnconfirmedEdits } from './unconfirmedEdits';
import { keepUnsaved, pendingOf, type Pending } from './unsaved';

const TYPING_PAUSE_MS = 450;
const OFFLINE_PAUSE_MS = 3_000;

/**
 * Closed queues that still send edits, or ended with edits that the server has not confirmed, by user and flow: the flow
 * and the remaining edits when they end. The next queue may have read an older flow, which lacks the base of these edits.
 */
const leaving = createStore<ReadonlyMap<string, Promise<Editing>>>(new Map());

const forgetLeaving = (key: string, ended: Promise<Editing>): void =>
  leaving.update((all) => (all.get(key) === ended ? new Map([...all].filter(([each]) => each !== key)) : all));

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
  private readonly unconfirmed: UnconfirmedEdits;

  /** @param userId owner of the edits: the edits of another user of the browser are never sent */
  constructor(
    private readonly store: Store<Editing>,
    private readonly userId: string,
  ) {
    this.unconfirmed = new UnconfirmedEdits(store, userId);
    const { pending } = store.get();
    this.restoredKeys = new Set(pending.map(({ key }) => key));
    this.held = pending.length > 0;
  }

  private get leavingKey(): string {
    return `${this.userId}.${this.store.get().flow.id}`;
  }

  /** Sends or drops the edits of an earlier visit, once the editor of that visit has ended. */
  async resume(isWanted: boolean): Promise<void> {
    const left = leaving.get().get(this.leavingKey);
    if (left) {
      this.store.set(this.after(await left));
      keepUnsaved(this.userId, this.store.get().flow.id, this.store.get().pending);
      forgetLeaving(this.leavingKey, left);
    }
    this.held = false;
    if (isWanted) {
      this.unconfirmed.take(this.store.get().flow);
    } else {
      this.store.update((now) => ({ ...now, pending: [], version: versionOf(now.flow), saving: 'saved' }));
      keepUnsaved(this.userId, this.store.get().flow.id, []);
    }
    this.soon(0);
  }

  /** This editor's state after an earlier one has ended: the later flow, and the edits of both. */
  private after(left: Editing): Editing {
    const now = this.store.get();
    return {
      ...now,
      flow: isOlder(now.flow, left.flow) ? left.flow : now.flow,
      pending: [...left.pending, ...now.pending.filter(({ key }) => !this.restoredKeys.has(key))],
    };
  }

  /** Ends the editor: sends pending edits at once and accepts no more. The rest is kept for the same user. */
  dispose(): void {
    clearTimeout(this.timer);
    const key = this.leavingKey;
    const left = this.held ? leaving.get().get(key) : undefined;
    const ended = left ? left.then((state) => this.after(state)) : this.send().then(() => this.store.get());
    this.disposed = true;
    leaving.update((all) => new Map([...all, [key, ended]]));
    void ended.then(({ pending }) => pending.length === 0 && forgetLeaving(key, ended));
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
      this.unconfirmed.take(answer.value);
    }
  }

  announce(versionUpdated: string): void {
    this.announced = Math.max(this.announced, Date.parse(versionUpdated) || 0);
    if (!this.sending && this.announced > this.unconfirmed.known()) {
      this.announced = 0;
      void this.reload();
    }
  }

  take(flow: Flow): void {
    this.unconfirmed.take(flow);
  }

  report(rebased: Rebased): void {
    this.unconfirmed.report(rebased);
  }

  /** Applies edits to the shown version and sends them; consecutive letters are sent after a pause in typing. */
  add(edits: readonly Edit[]): void {
    this.unconfirmed.add(edits);
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
      this.unconfirmed.replaceFirst({ ...next, sentTo }, 'saving');
      const answer = await api('POST /v1/flows/{id}', {
        path: { id: this.store.get().flow.id },
        body: next.operation as FlowOperation,
        key: next.key,
        ifMatch: sentTo,
      });
      const settled = answer.ok
        ? this.unconfirmed.confirm(answer.value, undefined)
        : await this.failed({ ...next, sentTo }, answer.failure);
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
    if (this.announced > this.unconfirmed.known()) {
      this.announced = 0;
      void this.reload();
    }
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
    return fate === 'unknown' ? this.lookAt(sent, refusal) : this.unconfirmed.confirm(this.store.get().flow, refusal);
  }

  /** Another writer changed the flow first: nothing was applied, and the edits are rebased onto the other version. */
  private async fromTheirs(sent: Pending): Promise<boolean> {
    const { sentTo, ...unsent } = sent;
    this.unconfirmed.replaceFirst(unsent, 'saving');
    const now = await api('GET /v1/flows/{id}', { path: { id: this.store.get().flow.id } });
    if (!now.ok || now.value.version.updated === sentTo) {
      return false;
    }
    this.unconfirmed.absorb(now.value, this.store.get().pending);
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
        this.unconfirmed.replaceFirst(pendingOf(sent), 'saving');
        return true;
      case 'applied':
        return this.unconfirmed.confirm(now.value, undefined);
      case 'unclear': {
        if (!isUpdate(sent.operation)) {
          return this.unconfirmed.confirm(now.value, refusal);
        }
        this.unconfirmed.absorb(now.value, this.store.get().pending);
        return true;
      }
    }
  }
}
