import { equal, holds, part, test } from '../base/testing';
import { eventReader, isFinal } from '../base/live/events';
import { barsOf, claimsOf, offered, type Diagnosis } from './diagnosis';
import { causesOf, shapeOf } from './grouping';
import { errorOf, kindOf, lineOf } from './errors';
import { countsByGroup, elapsed, filterOf, merged, queryOf, type Run } from './model';
import {
  firstOfInterest,
  iterationsOf,
  keyOf,
  placeOf,
  recordAt,
  standingOf,
  withRecord,
  type StepRecord,
  type StepRecords,
} from './steps';
import { nextFailed, partsOf, ticksOf, timelineOf, windowOf } from './timing';
import { linesOf } from './tree';

const step = (duration: number, status: StepRecord['status'] = 'SUCCEEDED'): StepRecord => ({
  type: 'CODE',
  status,
  input: {},
  duration,
});
const loop = (iterations: StepRecords[], duration = 0): StepRecord => ({
  type: 'LOOP_ON_ITEMS',
  status: 'SUCCEEDED',
  input: {},
  duration,
  output: { index: iterations.length, iterations },
});

function run(id: string, part: Partial<Run> = {}): Run {
  return { id, created: id, flowId: 'f', status: 'FAILED', ...part } as Run;
}

test('the address holds the filters of the list, and invalid ones are ignored', () => {
  const said: Record<string, string> = { status: 'failed', time: '7d', tag: 'vip', flow: 'f' };
  const filter = filterOf((name) => said[name] ?? null);
  const query = queryOf(filter, Date.parse('2026-01-08T00:00:00Z'));
  equal(
    [query.createdAfter, query.tags, query.flowId, query.status?.length],
    ['2026-01-01T00:00:00.000Z', ['vip'], ['f'], 6],
  );
  equal(
    queryOf(
      filterOf((name) => (name === 'status' || name === 'time' ? 'x' : null)),
      0,
    ),
    {},
  );
});

test('changed runs are replaced, and those that no longer match are removed', () => {
  const rows = [run('3'), run('2'), run('1')];
  equal(
    merged(rows, ['2', '3', '4'], [run('4'), run('2', { status: 'SUCCEEDED' })]).map((each) => [each.id, each.status]),
    [
      ['4', 'FAILED'],
      ['2', 'SUCCEEDED'],
      ['1', 'FAILED'],
    ],
  );
});

test("a run's duration is counted from its start, and is absent while it is queued", () => {
  equal(elapsed({ startTime: null, finishTime: null }, 5), undefined);
  equal(elapsed({ startTime: '2026-01-01T00:00:00Z', finishTime: null }, Date.parse('2026-01-01T00:00:02Z')), 2000);
});

test('counts are summed by the groups of the filter', () => {
  equal(
    countsByGroup([
      { status: 'FAILED', count: 2 },
      { status: 'TIMEOUT', count: 1 },
      { status: 'QUEUED', count: 4 },
    ]),
    { succeeded: 0, failed: 3, running: 4, paused: 0, canceled: 0 },
  );
});

test('failures with the same shape are one cause, the most frequent first', () => {
  const failed = (id: string, message: string): Run =>
    run(id, { failedStep: { name: 's', displayName: 'Send', message } });
  const causes = causesOf([
    failed('9', 'Order 17 of "Ada" is unknown'),
    failed('8', 'gone'),
    failed('7', 'Order 4 of "Bob" is unknown'),
    run('6', { status: 'SUCCEEDED' }),
  ]);
  equal(
    causes.map((cause) => [cause.runs.length, cause.message, cause.first, cause.last]),
    [
      [2, 'Order 17 of "Ada" is unknown', '7', '9'],
      [1, 'gone', '8', '8'],
    ],
  );
});

test('the shape of a message keeps its fixed words', () => {
  equal(shapeOf("Row 0b6f8c4e-1111-4222-8333-123456789abc at 2026-01-01T10:00:00Z: 3.5 'x'"), 'row # at #: # #');
  holds(shapeOf('Too slow') !== shapeOf('Too long'), 'different words are different causes');
});

test('the key of a step contains the enclosing iterations', () => {
  const key = keyOf(
    [
      ['outer', 2],
      ['inner', 0],
    ],
    'send',
  );
  equal(
    [key, placeOf(key)],
    [
      'outer[3].inner[1].send',
      {
        place: [
          ['outer', 2],
          ['inner', 0],
        ],
        name: 'send',
      },
    ],
  );
});

test('progress of a step is placed in its iteration', () => {
  const told = withRecord(withRecord({}, [['l', 1]], 'a', step(5)), [], 'l', {
    type: 'LOOP_ON_ITEMS',
    status: 'SUCCEEDED',
    input: {},
    output: { index: 2 },
  });
  equal([iterationsOf(told['l']).length, recordAt(told, 'l[2].a')?.duration], [2, 5]);
});

test('the failed step is selected, in its iteration', () => {
  const steps = { t: step(0), l: loop([{ a: step(1) }, { a: step(1), b: step(1, 'FAILED') }]) };
  equal(firstOfInterest(steps), 'l[2].b');
  equal(firstOfInterest({ t: step(1) }), undefined);
  equal(standingOf(steps), 'FAILED');
});

test('a step begins at the end of the previous one, and only the selected iteration has lines', () => {
  const steps = { t: step(0), l: loop([{ a: step(10) }, { a: step(20) }, { a: step(30) }], 60), end: step(5) };
  const folded = timelineOf(steps, new Map(), 100);
  equal(
    folded.bars.map((bar) => [bar.key, bar.startMs, bar.lengthMs]),
    [
      ['t', 0, 0],
      ['l', 0, 60],
      ['end', 60, 5],
    ],
  );
  equal([folded.totalMs, folded.idleMs], [65, 35]);
  const shown = timelineOf(steps, new Map([['l', 1]]), 0);
  equal(
    shown.bars.map((bar) => [bar.key, bar.startMs, bar.depth]),
    [
      ['t', 0, 0],
      ['l', 0, 0],
      ['l[2].a', 10, 1],
      ['end', 60, 0],
    ],
  );
  equal(shown.idleMs, 0);
});

test('a loop lasts at least as long as its steps, and a running step as long as it has been observed', () => {
  const bars = timelineOf({ l: loop([{ a: step(7), b: step(0, 'RUNNING') }]) }, new Map(), 0, () => 4).bars;
  equal(bars[0]?.lengthMs, 11);
  equal(timelineOf({ a: step(5), b: step(0, 'RUNNING') }, new Map(), 30, () => 4).bars[1]?.lengthMs, 25);
});

test('the bar of a waiting step runs to the end of the axis, which leaves room for it', () => {
  const { bars, totalMs } = timelineOf({ a: step(850), b: step(1, 'PAUSED') }, new Map(), 90_000);
  equal([bars[1]?.startMs, bars[1]?.lengthMs, totalMs], [850, 150, 1_000]);
});

test('a thousand iterations are a strip of parts with the worst status each, and failures are navigable', () => {
  const iterations = Array.from({ length: 1000 }, (_, at) => ({
    a: step(1, at === 501 || at === 700 ? 'FAILED' : 'SUCCEEDED'),
  }));
  const parts = partsOf(iterations, 100);
  equal([parts.length, parts[50]?.standing, parts[51]?.standing, parts[99]?.last], [100, 'FAILED', 'SUCCEEDED', 999]);
  equal(
    [nextFailed(iterations, 0), nextFailed(iterations, 501), nextFailed(iterations, 700), nextFailed([{}], 0)],
    [501, 700, 501, -1],
  );
});

test('the axis has round times', () => {
  equal(ticksOf(1000, 5), [0, 200, 400, 600, 800, 1000]);
  equal(ticksOf(73, 4), [0, 20, 40, 60]);
});

test('only the visible part of a long list is rendered', () => {
  equal(windowOf(1000, 32, 3200, 320, 2), { first: 98, last: 112 });
  equal(windowOf(3, 32, 0, 320), { first: 0, last: 3 });
});

test('an error and its kind are derived from the record of a step', () => {
  const refused = errorOf(
    JSON.stringify({
      __apErrorVersion: 1,
      message: 'no such order',
      status: 404,
      requestUrl: 'https://a.example/1',
      requestMethod: 'get',
      apiMessage: 'x',
    }),
  );
  equal(
    [refused.message, refused.request, refused.more, kindOf(refused, 'PIECE')],
    ['no such order', 'GET https://a.example/1', { apiMessage: 'x' }, 'notFound'],
  );
  const named = errorOf(JSON.stringify({ message: '{\n  "message": "gone"\n}', errorName: 'ConnectionNotFound' }));
  equal([named.message, kindOf(named, 'PIECE')], ['gone', 'connectionMissing']);
  equal(kindOf(errorOf('{"message":"connect ECONNREFUSED 127.0.0.1:1"}'), 'CODE'), 'unreachable');
  equal(kindOf(errorOf('no json'), 'CODE'), 'code');
  equal(
    [lineOf('plain'), lineOf('{"__apErrorVersion":1,"message":"say \\"no\\"","raw":"…'), lineOf('{"message":"whole"}')],
    ['plain', 'say "no"', 'whole'],
  );
});

test('the line of code is a part of its error, and no detail', () => {
  const thrown = errorOf('{"__apErrorVersion":1,"message":"no total","line":7}');
  equal([thrown.line, thrown.more], [7, {}]);
  equal(errorOf('{"message":"x","line":"7"}').line, undefined);
  equal(errorOf('{"message":"x","line":0}').line, undefined);
});

test('a tree has lines for expanded items', () => {
  const value = { a: { b: { c: 1 } }, d: [] };
  equal(
    linesOf(value, new Set()).map((line) => line.path),
    ['$', '$/a', '$/a/b', '$/d'],
  );
  equal(
    linesOf(value, new Set(['$/a/b'])).map((line) => line.path),
    ['$', '$/a', '$/a/b', '$/a/b/c', '$/d'],
  );
  equal(linesOf(value, new Set(['$'])).length, 1);
  equal(
    linesOf(
      Array.from({ length: 60 }, () => 1),
      new Set(),
    ).length,
    1,
    'a long list is closed at first',
  );
});

test('events of a stream are parsed across chunks', () => {
  const read = eventReader();
  equal(read('event: step\nid: 2\nda'), []);
  equal(read('ta: {"a":1}\n\n: beat\n\nevent: run\ndata: {}\n\n'), [
    { name: 'step', id: '2', data: '{"a":1}' },
    { name: 'run', id: '', data: '{}' },
  ]);
});

test('a stream is reopened after every end except the end of access', () => {
  equal([401, 403, 404].map(isFinal), [true, true, true]);
  equal([0, 200, 204, 408, 429, 500, 502, 503, 504].filter(isFinal), []);
});

test('statements of a diagnosis link to their evidence, and a single failure has no trend', () => {
  const evidence = (console: string) => [
    { kind: 'run' as const, id: 'r', api: '/api/x', console, at: '2026-01-01T00:00:00.000Z' },
  ];
  const found = part<Diagnosis>({
    failed: true,
    comparedWith: { evidence: evidence('/good') },
    difference: {
      stepName: 'trigger',
      path: 'trigger',
      side: 'output',
      differences: [
        { path: 'body.a', kind: 'nullValue', before: 'number', now: 'null' },
        { path: 'b', kind: 'newField', before: 'absent', now: 'text' },
      ],
      evidence: evidence('/bad'),
    },
    changes: [
      {
        kind: 'connection',
        name: 'CRM',
        text: 'The connection "CRM" was changed.',
        evidence: evidence('/connections'),
      },
    ],
    similar: { count: 3, days: [{ day: '2026-01-01', count: 3 }], evidence: evidence('/causes') },
    actions: [
      { kind: 'REPLAY' },
      { kind: 'RECONNECT' },
      { kind: 'RETRY', body: { strategy: 'ON_LATEST_VERSION' } },
      { kind: 'RETRY', body: { strategy: 'FROM_FAILED_STEP' } },
    ],
  });
  const words = {
    difference: (step: string, path: string, before: string, now: string, more: number) =>
      [step, path, before, now, more].join(' '),
    similar: (failures: number, days: number) => `${failures} in ${days}`,
  };
  equal(
    claimsOf(found, words).map((claim) => [claim.text, claim.to]),
    [
      ['trigger body.a number null 1', '/good'],
      ['The connection "CRM" was changed.', '/connections'],
      ['3 in 1', '/causes'],
    ],
  );
  equal(claimsOf({ ...found, similar: { ...found.similar!, count: 1 } }, words).length, 2);
  equal(
    offered(found).map((action) => action.kind),
    ['RECONNECT', 'RETRY'],
  );
});

test('the trend has a bar for each day, also for days without failures', () => {
  equal(
    barsOf(
      [
        { day: '2026-02-28', count: 4 },
        { day: '2026-03-02', count: 2 },
      ],
      '2026-03-02T10:00:00.000Z',
      4,
    ).map((bar) => [bar.day, bar.count, bar.height]),
    [
      ['2026-02-27', 0, 0],
      ['2026-02-28', 4, 1],
      ['2026-03-01', 0, 0],
      ['2026-03-02', 2, 0.5],
    ],
  );
});

/** The same lines as in the test of the server, which compares the two. */
const SHAPES = `
boom|boom
Order 17 of 2026 is closed|order # of # is closed
Order "A-17" not found|order # not found
User 'ada' not found|user # not found
“ada” not found|# not found
Item 0f8fad5b-d9cb-469f-a165-70867728950e is gone|item # is gone
Since 2026-11-28T20:50:20.123Z nothing|since # nothing
Run 8Kd0uYb1Xh0nODdLYniavFKJ failed|run # failed
Amount 1,234.50 too high|amount # too high
two   spaces	and a tab|two spaces and a tab
`;

test('messages have the same shape as on the server, which groups failures by it', () => {
  for (const line of SHAPES.trim().split('\n')) {
    const bar = line.indexOf('|');
    equal(shapeOf(line.slice(0, bar)), line.slice(bar + 1));
  }
});
