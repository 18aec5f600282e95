import { api, type Answer } from '../base/api/client';
import { reliably } from '../base/api/reliably';
import { failure, type Failure } from '../base/api/failure';
import { complain } from '../base/components/Toasts';
import { may } from '../base/permissions';
import { createStore, type Store } from '../base/store';
import { t } from '../base/text';
import { inverseOf } from './inverse';
import { apply, type Operation, type Version } from './operations';
import type { Step } from './steps';
import { fateOf } from '../base/api/repeat';
import { session } from '../base/session';
import { outcomeOf } from './outcome';
import { keepUnsaved, pendingOf, readUnsaved, type Pending } from './unsaved';

export type Flow = Answer<'GET /v1/flows/{id}'>;

export type Saving = 'saved' | 'saving' | 'waiting' | 'offline';

/** Everything that the editor shows of a flow. */
export interface Editing {
  /** As the server has it. */
  flow: Flow;
  /** What the server has not confirmed yet, in order. */
  pending: Pending[];
  /** The server's version with what is pending: what is shown. */
  version: Version;
  saving: Saving;
  savedAt: number;
  undo: Gesture[];
  redo: Gesture[];
  /** Who else edits the flow at the moment: until that ends, or is taken over, nothing is changed here. */
  lockedBy?: string | undefined;
}

/** What a person did in one go, and how it is taken back. */
interface Gesture { forth: Operation[]; back: Operation[]; about: string; at: number }

/** Changes of one field follow one another this quickly when they are one gesture. */
const TOGETHER_MS = 1_200;
const TYPING_PAUSE_MS = 450;
const OFFLINE_PAUSE_MS = 3_000;
const UNDO_MAX = 200;

const versionOf = (flow: Flow): Version => {
  const { displayName, trigger, notes } = flow.version;
  return { displayName, trigger: trigger as unknown as Step, notes: (notes ?? []) as unknown as Version['notes'] };
};

const shown = (flow: Flow, pending: readonly Pending[]): Version => pending.map((each) => each.operation).reduce(apply, versionOf(flow));

const typed = (operation: Operation): boolean =>
  operation.type === 'UPDATE_ACTION' || operation.type === 'UPDATE_TRIGGER' || operation.type === 'CHANGE_NAME' || operation.type === 'UPDATE_NOTE';

const aboutOf = (operation: Operation): string => {
  const request = operation.request as { name?: string; id?: string };
  return typed(operation) ? `${operation.type} ${request.name ?? request.id ?? ''}` : '';
};

/**
 * The editor of one flow: each gesture is a list of operations of the API, applied at once, sent in order one after
 * the other, and taken back with a word when the server refuses. What is not confirmed is kept in the browser, too.
 */
export class Builder {
  readonly store: Store<Editing>;
  private timer = 0;
  private sending = false;
  private disposed = false;
  private held: boolean;

  /** @param userId whose edits these are: the edits of another user of the browser are never sent */
  constructor(flow: Flow, private readonly userId: string) {
    const pending = readUnsaved(userId, flow.id);
    this.store = createStore<Editing>({
      flow, pending, version: shown(flow, pending), saving: pending.length > 0 ? 'waiting' : 'saved',
      savedAt: Date.parse(flow.version.updated), undo: [], redo: [],
    });
    this.restored = pending.length;
    this.held = pending.length > 0;
  }

  /** Number of edits of an earlier visit; they are sent when the user asks for it. */
  readonly restored: number;

  /** Sends the edits of an earlier visit, or drops them. */
  resume(isWanted: boolean): void {
    this.held = false;
    if (!isWanted) {
      this.store.update((now) => ({ ...now, pending: [], version: versionOf(now.flow), saving: 'saved' }));
      keepUnsaved(this.userId, this.store.get().flow.id, []);
    }
    this.soon(0);
  }

  /** Ends the editor: sends what it can at once, and nothing later. What remains is kept for the same user. */
  dispose(): void {
    clearTimeout(this.timer);
    void this.send();
    this.disposed = true;
  }

  get version(): Version {
    return this.store.get().version;
  }

  /** Does something that a person can take back. */
  perform(...operations: Operation[]): void {
    const before = this.store.get();
    if (this.refuses()) {
      return;
    }
    let { version } = before;
    const back: Operation[] = [];
    for (const operation of operations) {
      back.unshift(...inverseOf(version, operation));
      version = apply(version, operation);
    }
    const about = operations.length === 1 ? aboutOf(operations[0]!) : '';
    const last = before.undo.at(-1);
    const together = about !== '' && last?.about === about && Date.now() - last.at < TOGETHER_MS && before.redo.length === 0;
    const gesture: Gesture = { forth: operations, back: together ? last.back : back, about, at: Date.now() };
    const undo = [...(together ? before.undo.slice(0, -1) : before.undo), gesture].slice(-UNDO_MAX);
    this.store.set({ ...before, undo, redo: [] });
    this.queue(operations);
  }

  private refuses(): boolean {
    const { lockedBy } = this.store.get();
    const refusal = !may('WRITE_FLOW') ? failure('PERMISSION_DENIED')
      : lockedBy !== undefined ? failure('LOCKED', { message: t('builder.lockedShort', { name: lockedBy }) }) : undefined;
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
      this.queue(gesture.back);
    }
  }

  redo(): void {
    const { undo, redo } = this.store.get();
    const gesture = redo.at(-1);
    if (gesture && !this.refuses()) {
      this.store.update((now) => ({ ...now, redo: redo.slice(0, -1), undo: [...undo, gesture] }));
      this.queue(gesture.forth);
    }
  }

  /** Sends what is pending; whether the server has confirmed everything. */
  async settled(): Promise<boolean> {
    clearTimeout(this.timer);
    await this.send();
    while (this.sending) {
      await new Promise((resolve) => setTimeout(resolve, 30));
    }
    return this.store.get().pending.length === 0;
  }

  /** An operation that is not part of the tree's history: publishing, restoring a version, keeping a sample. */
  async request(operation: { type: string; request: unknown }): Promise<Failure | undefined> {
    const { lockedBy } = this.store.get();
    if (lockedBy !== undefined) {
      return failure('LOCKED', { message: t('builder.lockedShort', { name: lockedBy }) });
    }
    if (!await this.settled()) {
      return notSaved();
    }
    const { flow } = this.store.get();
    const answer = await reliably('POST /v1/flows/{id}', { path: { id: flow.id }, body: operation as never });
    if (!answer.ok) {
      return answer.failure;
    }
    this.take(answer.value);
    return undefined;
  }

  /** Looks again how the flow stands, unless something of ours is on its way. */
  async reload(): Promise<void> {
    const { flow, pending } = this.store.get();
    if (pending.length > 0 || this.sending) {
      return;
    }
    const answer = await api('GET /v1/flows/{id}', { path: { id: flow.id } });
    if (answer.ok && this.store.get().pending.length === 0) {
      this.take(answer.value);
    }
  }

  private take(flow: Flow): void {
    this.store.update((now) => ({
      ...now, flow, version: shown(flow, now.pending), savedAt: Date.parse(flow.version.updated),
    }));
  }

  private queue(operations: Operation[]): void {
    this.store.update((now) => {
      const pending = [...now.pending];
      for (const operation of operations) {
        const last = pending.at(-1);
        // What is typed letter by letter is sent once; what is on its way stays as it is.
        if (last && aboutOf(operation) !== '' && aboutOf(last.operation) === aboutOf(operation) && !(this.sending && pending.length === 1)) {
          pending.pop();
        }
        pending.push(pendingOf(operation));
      }
      keepUnsaved(this.userId, now.flow.id, pending);
      return { ...now, pending, version: operations.reduce(apply, now.version), saving: now.saving === 'offline' ? 'offline' : 'waiting' };
    });
    this.soon(operations.every(typed) ? TYPING_PAUSE_MS : 0);
  }

  private soon(delay: number): void {
    clearTimeout(this.timer);
    if (!this.disposed) {
      this.timer = window.setTimeout(() => void this.send(), delay);
    }
  }

  /** Whether the session is the one of this editor's user: another user may have signed in since. */
  private isOurs(): boolean {
    const now = session.get();
    return now.state === 'in' && now.user.id === this.userId;
  }

  private async send(): Promise<void> {
    if (this.sending || this.held || this.disposed) {
      return;
    }
    this.sending = true;
    for (let next = this.store.get().pending[0]; next; next = this.store.get().pending[0]) {
      if (!this.isOurs()) {
        break;
      }
      this.store.update((now) => ({ ...now, saving: 'saving' }));
      const { flow } = this.store.get();
      const answer = await api('POST /v1/flows/{id}', { path: { id: flow.id }, body: next.operation as never, key: next.key });
      const settled = answer.ok ? this.confirm(answer.value, undefined) : await this.failed(next, answer.failure);
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
  }

  /** Whether the operation is settled: one whose answer was lost stays pending, and is sent again under its key. */
  private async failed(sent: Pending, refusal: Failure): Promise<boolean> {
    const fate = fateOf(refusal);
    if (fate === 'busy' || fate === 'lost' || refusal.status === 401) {
      return false;
    }
    return fate === 'unknown' ? this.lookAt(sent, refusal) : this.confirm(this.store.get().flow, refusal);
  }

  /** The server does not know what became of an operation: its flow tells. */
  private async lookAt(sent: Pending, refusal: Failure): Promise<boolean> {
    const { flow } = this.store.get();
    const now = await api('GET /v1/flows/{id}', { path: { id: flow.id } });
    if (!now.ok) {
      return false;
    }
    const stamped = (each: Flow) => ({ updated: each.version.updated, version: versionOf(each) });
    switch (outcomeOf(stamped(flow), apply(versionOf(flow), sent.operation), stamped(now.value))) {
      case 'absent': {
        const again = pendingOf(sent.operation);
        this.store.update((state) => ({ ...state, pending: [again, ...state.pending.slice(1)] }));
        keepUnsaved(this.userId, flow.id, this.store.get().pending);
        return true;
      }
      case 'applied':
        return this.confirm(now.value, undefined);
      case 'unclear':
        return this.confirm(now.value, refusal);
    }
  }

  private confirm(flow: Flow, refusal: Failure | undefined): true {
    this.store.update((now) => {
      const pending = now.pending.slice(1);
      keepUnsaved(this.userId, flow.id, pending);
      return { ...now, flow, pending, version: shown(flow, pending), savedAt: refusal ? now.savedAt : Date.now(), ...(refusal ? { undo: [], redo: [] } : {}) };
    });
    if (refusal) {
      complain(refusal);
    }
    return true;
  }
}

/** Why something that needs all edits at the server was not done. */
export const notSaved = (): Failure => failure('NOT_SAVED', { message: t('builder.notSaved') });
