import { settle, tick } from '../base/pageless';
import { refuseCookies } from '../base/api/credentials';
import { toasts } from '../base/components/Toasts';
import { allowed, type Permission } from '../base/permissions';
import { session, type User } from '../base/session';
import { equal, part, test } from '../base/testing';
import { Builder } from './builder';
import { versionOf, type Flow } from './editing';
import { add, apply, type Operation } from './operations';
import { walk, type Step } from './steps';

interface Waiting {
  method: string;
  answer: () => Promise<void>;
  lose: () => Promise<void>;
}

/** Server with one flow: each operation changes the version's time. Answers arrive, or are lost, when a test says so. */
class Server {
  flow: Flow;
  private time = 0;
  private readonly waiting: Waiting[] = [];

  constructor() {
    const trigger: Step = { name: 'trigger', type: 'PIECE_TRIGGER', displayName: 'T', valid: true, settings: {} };
    this.flow = part<Flow>({
      id: 'flow-1',
      version: {
        displayName: 'Orders',
        notes: [],
        trigger: trigger as Flow['version']['trigger'],
        updated: this.stamp(),
      },
    });
    globalThis.fetch = ((_: string, { method = 'GET', headers, body }: RequestInit) =>
      new Promise((resolve, reject) => {
        const answer = this.perform(method, (headers as Record<string, string>)['If-Match'], body as string | null);
        this.waiting.push({
          method,
          answer: () => {
            resolve(answer);
            return settle();
          },
          lose: () => {
            reject(new Error('lost'));
            return settle();
          },
        });
      })) as typeof fetch;
  }

  private stamp(): string {
    return new Date(++this.time).toISOString();
  }

  private perform(method: string, ifMatch: string | undefined, body: string | null): Response {
    if (method === 'POST' && ifMatch !== `"${this.flow.version.updated}"`) {
      return response(412, { code: 'FLOW_VERSION_CHANGED' });
    }
    if (method === 'POST') {
      this.write(JSON.parse(body ?? '') as Operation);
    }
    return response(200, this.flow);
  }

  write(operation: Operation): void {
    const { displayName, trigger, notes } = apply(versionOf(this.flow), operation);
    this.flow = part<Flow>({
      ...this.flow,
      version: {
        ...this.flow.version,
        displayName,
        trigger: trigger as Flow['version']['trigger'],
        notes,
        updated: this.stamp(),
      },
    });
  }

  next(method: string): Waiting {
    const next = this.waiting.shift();
    equal(next?.method, method);
    return next!;
  }
}

const response = (status: number, body: unknown): Response =>
  part<Response>({
    ok: status < 400,
    status,
    headers: { get: (name: string) => (name === 'Content-Type' ? 'application/json' : null) },
    text: () => Promise.resolve(JSON.stringify(body)),
  });

const step = (name: string): Operation =>
  add(
    { parent: 'trigger', location: 'AFTER' },
    { type: 'CODE', name, displayName: name, valid: true, settings: { input: {} } },
  );
const duplicate = (stepName: string): Operation => ({ type: 'DUPLICATE_ACTION', request: { stepName } });

function signedIn(): void {
  refuseCookies();
  session.set({ state: 'in', flags: {}, user: { id: 'ada' } as User, projects: [] });
  allowed.set({ projectId: 'project-1', role: 'Admin', permissions: new Set<Permission>(['WRITE_FLOW']) });
}

test('unsent edits of a closed editor keep their base, even if the next editor read the flow before the base was saved', async () => {
  signedIn();
  const server = new Server();
  const before = server.flow;
  const closed = new Builder(before, 'ada');
  closed.perform(step('step_1'), duplicate('step_1'));
  closed.dispose();
  server.write({ type: 'CHANGE_NAME', request: { displayName: 'Renamed by Bob' } });
  await server.next('POST').answer();
  await server.next('POST').answer();
  await server.next('GET').lose();
  await tick();
  await server.next('GET').lose();

  const next = new Builder(before, 'ada');
  await next.resume(true);
  await tick();
  await server.next('POST').answer();
  await server.next('GET').answer();
  await server.next('POST').answer();

  equal(toasts.get(), []);
  equal(
    walk(versionOf(server.flow).trigger).map((each) => each.step.name),
    ['trigger', 'step_1', 'step_2'],
  );
  equal(server.flow.version.displayName, 'Renamed by Bob');
  equal(await next.settled(), true);
});

test('edits of an editor that never resumed an earlier one are sent after those of the earlier one', async () => {
  signedIn();
  const server = new Server();
  const before = server.flow;
  const first = new Builder(before, 'ada');
  first.perform(step('step_1'), duplicate('step_1'));
  first.dispose();
  server.write({ type: 'CHANGE_NAME', request: { displayName: 'Renamed by Bob' } });
  await server.next('POST').answer();
  await server.next('POST').answer();
  const second = new Builder(before, 'ada');
  second.perform(step('step_9'));
  second.dispose();
  await server.next('GET').lose();
  await tick();
  await server.next('GET').lose();

  const third = new Builder(before, 'ada');
  await third.resume(true);
  await tick();
  await server.next('POST').answer();
  await server.next('GET').answer();
  await server.next('POST').answer();
  await server.next('POST').answer();

  equal(toasts.get(), []);
  equal(
    walk(versionOf(server.flow).trigger).map((each) => each.step.name),
    ['trigger', 'step_9', 'step_1', 'step_2'],
  );
  equal(await third.settled(), true);
});
