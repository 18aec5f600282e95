import { plan } from './browser';
import { api } from '../../base/api/client';
import { refuseCookies, takeToken } from '../../base/api/credentials';
import { toasts } from '../../base/components/Toasts';
import { allowed, type Permission } from '../../base/permissions';
import { session, type User } from '../../base/session';
import { unique } from '../../base/unique';
import { Builder } from '../builder';
import { Account, type OwnEdit } from './account';

/**
 * Flow editor user without a browser: makes random edits with the console's edit queue until its input ends, waits
 * until the server has confirmed all, and writes the expected content of the flow as one line of JSON. `scripts/chaos
 * --proxy` runs several.
 */
declare const process: {
  stdin: { on(event: 'end', listener: () => void): void; resume(): void };
  stdout: { write(text: string, done: () => void): void };
  exit(status: number): never;
};

const PAUSE_MS = 150;
const SETTLE_MS_MAX = 180_000;
const TOGETHER_MAX = 3;
const RELOAD_ONE_OF = 3;

const random = (seed: number): ((below: number) => number) => {
  let state = seed >>> 0 || 1;
  return (below) => {
    state = (Math.imul(state ^ (state >>> 15), state | 1) + 0x6d2b79f5) >>> 0;
    return ((state ^ (state >>> 14)) >>> 0) % below;
  };
};

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Body of the last write, for the report of a refusal. */
let written = '';
const send = globalThis.fetch;
globalThis.fetch = (address, options) => {
  written = typeof options?.body === 'string' ? options.body : written;
  return send(address, options);
};

let isEnding = false;
let refusals = 0;
const reasons = new Set<string>();
toasts.subscribe((shown) => {
  if (shown.length > 0) {
    shown
      .filter(({ tone }) => tone === 'bad')
      .forEach(({ text }) => {
        refusals++;
        reasons.add(`${text} ${written}`);
      });
    toasts.set([]);
  }
});

async function opened(): Promise<Builder> {
  const end = Date.now() + SETTLE_MS_MAX;
  while (Date.now() < end) {
    const flow = await api('GET /v1/flows/{id}', { path: { id: plan.flowId } });
    if (flow.ok) {
      return new Builder(flow.value, plan.userId);
    }
    await pause(PAUSE_MS);
  }
  throw new Error(`expected the flow ${plan.flowId} of ${plan.base} within ${SETTLE_MS_MAX} ms, found none`);
}

/** Simulates a reload of the page: unconfirmed edits survive in the browser. */
async function reloaded(builder: Builder): Promise<Builder> {
  builder.dispose();
  const next = await opened();
  await next.resume(true);
  return next;
}

async function isSettled(builder: Builder): Promise<boolean> {
  const end = Date.now() + SETTLE_MS_MAX;
  while (!(await builder.settled())) {
    if (Date.now() > end) {
      return false;
    }
    await pause(PAUSE_MS);
  }
  return true;
}

async function write(): Promise<void> {
  refuseCookies();
  takeToken(plan.token);
  session.set({ state: 'in', flags: {}, user: { id: plan.userId } as User, projects: [] });
  allowed.set({ projectId: plan.projectId, role: 'Admin', permissions: new Set<Permission>(['WRITE_FLOW']) });
  const pick = random(plan.seed);
  const account = new Account(plan.writer, pick, unique);
  let builder = await opened();
  let edits = 0;
  let reloads = 0;
  let unclear = 0;
  let isLost = false;
  while (!isEnding && !isLost) {
    const together: OwnEdit[] = [];
    const refusedBefore = refusals;
    for (let count = 1 + pick(TOGETHER_MAX); count > 0; count--) {
      const edit = account.next(builder.version);
      account.made(edit);
      together.push(edit);
      builder.perform(edit.operation);
    }
    edits += together.length;
    if (pick(RELOAD_ONE_OF) === 0) {
      builder = await reloaded(builder);
      reloads++;
    }
    isLost = !(await isSettled(builder));
    if (isLost || refusals > refusedBefore) {
      unclear += together.length;
      together.forEach((edit) => account.unclear(edit));
    }
    await pause(pick(PAUSE_MS));
  }
  builder.store.get().conflicts.forEach((each) => reasons.add(`conflict ${JSON.stringify(each)}`));
  const conflicts = builder.store.get().conflicts.length;
  const told = {
    writer: plan.writer,
    edits,
    reloads,
    unclear,
    unsettled: builder.store.get().pending.length,
    conflicts,
    reasons: [...reasons],
    expected: Object.fromEntries(account.expected),
  };
  process.stdout.write(`${JSON.stringify(told)}\n`, () => process.exit(0));
}

process.stdin.on('end', () => {
  isEnding = true;
});
process.stdin.resume();
void write();
