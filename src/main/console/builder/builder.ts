import { api, type Answer } from '../base/api/client';
import { failure, type Failure } from '../base/api/failure';
import { complain } from '../base/components/Toasts';
import { may } from '../base/permissions';
import { createStore, type Store } from '../base/store';
import { t } from '../base/text';
import { inverseOf } from './inverse';
import { apply, type Operation, type Version } from './operations';
import type { Step } from './steps';
import { keepUnsaved, readUnsaved } from './unsaved';

export type Flow = Answer<'GET /v1/flows/{id}'>;

export type Saving = 'saved' | 'saving' | 'waiting' | 'offline';

/** Everything that the editor shows of a flow. */
export interface Editing {
  /** As the server has it. */
  flow: Flow;
  /** What the server has not confirmed yet, in order. */
  pending: Operation[];
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

  constructor(flow: Flow) {
    const pending = readUnsaved(flow.id);
    this.store = createStore<Editing>({
      flow, pending, version: pending.reduce(apply, versionOf(flow)), saving: pending.length > 0 ? 'waiting' : 'saved',
      savedAt: Date.parse(flow.version.updated), undo: [], redo: [],
    });
    this.restored = pending.length;
    this.soon(0);
  }

  /** How many changes of an earlier visit were taken up. */
  readonly restored: number;

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

  /** Waits until the server has everything; the failure that stopped it, if one did. */
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
    await this.settled();
    const { flow } = this.store.get();
    const answer = await api('POST /v1/flows/{id}', { path: { id: flow.id }, body: operation as never });
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
      ...now, flow, version: now.pending.reduce(apply, versionOf(flow)), savedAt: Date.parse(flow.version.updated),
    }));
  }

  private queue(operations: Operation[]): void {
    this.store.update((now) => {
      const pending = [...now.pending];
      for (const operation of operations) {
        const last = pending.at(-1);
        // What is typed letter by letter is sent once; what is on its way stays as it is.
        if (last && aboutOf(operation) !== '' && aboutOf(last) === aboutOf(operation) && !(this.sending && pending.length === 1)) {
          pending.pop();
        }
        pending.push(operation);
      }
      keepUnsaved(now.flow.id, pending);
      return { ...now, pending, version: operations.reduce(apply, now.version), saving: now.saving === 'offline' ? 'offline' : 'waiting' };
    });
    this.soon(operations.every(typed) ? TYPING_PAUSE_MS : 0);
  }

  private soon(delay: number): void {
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => void this.send(), delay);
  }

  private async send(): Promise<void> {
    if (this.sending) {
      return;
    }
    this.sending = true;
    for (let next = this.store.get().pending[0]; next; next = this.store.get().pending[0]) {
      this.store.update((now) => ({ ...now, saving: 'saving' }));
      const { flow } = this.store.get();
      const answer = await api('POST /v1/flows/{id}', { path: { id: flow.id }, body: next as never });
      const lost = !answer.ok && (answer.failure.status === 0 || answer.failure.status === 503 || answer.failure.status === 429 || answer.failure.status === 401);
      if (lost) {
        this.sending = false;
        this.store.update((now) => ({ ...now, saving: 'offline' }));
        this.soon(OFFLINE_PAUSE_MS);
        return;
      }
      this.confirm(answer.ok ? answer.value : flow, answer.ok ? undefined : answer.failure);
    }
    this.sending = false;
    this.store.update((now) => ({ ...now, saving: 'saved' }));
  }

  private confirm(flow: Flow, refusal: Failure | undefined): void {
    this.store.update((now) => {
      const pending = now.pending.slice(1);
      keepUnsaved(flow.id, pending);
      return { ...now, flow, pending, version: pending.reduce(apply, versionOf(flow)), savedAt: refusal ? now.savedAt : Date.now(), ...(refusal ? { undo: [], redo: [] } : {}) };
    });
    if (refusal) {
      complain(refusal);
    }
  }
}
