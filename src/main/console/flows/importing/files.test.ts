import { equal, part, test } from '../../base/testing';
import { batchesOf, contentOf, inexact, joined, type FlowReport, type Imported } from './files';

const workflow = { nodes: [], connections: {} };
const kindOf = (json: unknown): string => contentOf(JSON.stringify(json)).kind;

test('n8n workflows are recognised alone, in a list and in responses of its API', () => {
  equal(
    [workflow, [workflow], { data: [workflow] }, { workflow }, { workflow: { workflow } }, { data: workflow }].map(
      kindOf,
    ),
    Array.from({ length: 6 }, () => 'n8n'),
  );
});

test('a list with one workflow is sent whole, so that the server names the others', () => {
  equal(contentOf(JSON.stringify([workflow, 7])), { kind: 'n8n', workflows: [workflow, 7] });
});

test('a byte order mark is not part of the content', () => {
  equal(contentOf('\uFEFF' + JSON.stringify(workflow)).kind, 'n8n');
});

test('exported flows are recognised', () => {
  equal([{ trigger: {} }, { flows: [{ trigger: {} }] }].map(kindOf), ['flow', 'flow']);
});

test('other files are refused with the reason', () => {
  equal(
    [contentOf('{'), contentOf('{}'), contentOf('[]'), contentOf('null'), contentOf('{"nodes":{}}')],
    [
      { kind: 'unreadable', problem: 'json' },
      ...Array.from({ length: 4 }, () => ({ kind: 'unreadable', problem: 'content' })),
    ],
  );
});

test('batches are limited in number and length, and keep the order', () => {
  equal(batchesOf([1, 2, 3], 2, 100), [[1, 2], [3]]);
  equal(batchesOf(['aaaa', 'bbbb', 'c'], 10, 9), [['aaaa'], ['bbbb', 'c']]);
  equal(batchesOf(['longer than allowed'], 10, 3), [['longer than allowed']]);
  equal(batchesOf([], 10, 10), []);
});

const answer = (name: string, exact: number): Imported =>
  part<Imported>({
    flows: [{ displayName: name }],
    report: {
      workflows: [{ name, flows: 1, problems: [] }],
      flows: 1,
      nodes: { exact, near: 1, byHand: 0 },
      expressions: { exact: 0, near: 0, byHand: exact },
    },
  });

test('responses are merged, and their figures added', () => {
  const all = joined([answer('a', 2), answer('b', 3)]);
  equal([all.flows.length, all.report.flows, all.report.workflows.length], [2, 2, 2]);
  equal(
    [all.report.nodes, all.report.expressions],
    [
      { exact: 5, near: 2, byHand: 0 },
      { exact: 0, near: 0, byHand: 5 },
    ],
  );
});

test('nodes to complete by hand are first', () => {
  const entries = (['near', 'exact', 'byHand'] as const).map((result) => ({
    node: result,
    type: 't',
    result,
    step: '',
    differences: [],
  }));
  equal(
    inexact(part<FlowReport>({ entries })).map((each) => each.node),
    ['byHand', 'near'],
  );
});
