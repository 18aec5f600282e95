import { equal, part, test } from '../base/testing';
import {
  aboutTool,
  blocksOf,
  conversationOf,
  standing,
  toolName,
  trialOf,
  whole,
  type Agent,
  type AgentTool,
  type Turn,
} from './model';

const agent = (draft: object, published: object | null): Agent =>
  part<Agent>({ projectId: 'p', externalId: 'x', draft, published });

test('an agent is a draft, live, or live with unpublished changes', () => {
  equal(
    [
      standing(agent({ instructions: 'a' }, null)),
      standing(agent({ maxSteps: 20, instructions: 'a' }, { instructions: 'a', tools: [] })),
      standing(agent({ instructions: 'b' }, { instructions: 'a' })),
    ],
    ['draft', 'live', 'changed'],
  );
});

test('a live agent is tested by its name, a draft by its content', () => {
  equal(trialOf(agent({ instructions: 'Help.' }, { instructions: 'Help.' }), 'Hi'), {
    projectId: 'p',
    instruction: 'Hi',
    agentId: 'x',
  });
  equal(trialOf(agent({ instructions: 'Help.', modelName: 'm', provider: 'openai' }, null), 'Hi'), {
    projectId: 'p',
    instruction: 'Help.\n\nHi',
    tools: [],
    structuredOutput: [],
    maxSteps: 20,
    modelName: 'm',
    provider: 'openai',
  });
  equal(trialOf(agent({}, null), 'Hi').instruction, 'Hi');
});

test('a conversation has the questions and answers of earlier turns', () => {
  const turn = (question: string, steps: object[], structuredOutput?: object): Turn =>
    part<Turn>({ id: question, question, run: { result: { steps, structuredOutput } } });
  const turns = [
    turn('One?', [
      { type: 'MARKDOWN', markdown: 'First.' },
      { type: 'TOOL_CALL', toolName: 'add' },
      { type: 'MARKDOWN', markdown: 'Second.' },
    ]),
    turn('Failed?', []),
    turn('Stopped?', [{ type: 'MARKDOWN', markdown: 'The agent was canceled.', remark: true }]),
    turn('Fields?', [], { total: 7 }),
  ];
  equal(conversationOf(turns, 100), [
    { role: 'user', content: 'One?' },
    { role: 'assistant', content: 'First.\n\nSecond.' },
    { role: 'user', content: 'Fields?' },
    { role: 'assistant', content: '{"total":7}' },
  ]);
  equal(
    conversationOf(
      Array.from({ length: 80 }, (_, at) => turn(`${at}?`, [{ type: 'MARKDOWN', markdown: 'Yes.' }])),
      21,
    ).length,
    20,
  );
  equal(conversationOf(turns, 0), []);
  equal(conversationOf([{ id: 'x', question: 'Live?', run: undefined }], 100), []);
  equal(trialOf(agent({}, null), 'Hi', [{ role: 'user', content: 'One?' }]).conversation, [
    { role: 'user', content: 'One?' },
  ]);
});

test('a tool gets an unused name that models accept', () => {
  const taken = [
    { type: 'FLOW', toolName: 'orders' },
    { type: 'FLOW', toolName: 'orders_2' },
  ] as AgentTool[];
  equal(
    [toolName('Orders', taken), toolName('ap_Söme thing', taken), toolName('!!', [])],
    ['orders_3', 's_me_thing', 'tool'],
  );
});

test('a tool has a description of its kind', () => {
  equal(
    aboutTool({
      type: 'PIECE',
      toolName: 't',
      pieceMetadata: { pieceName: '@activepieces/piece-http', actionName: 'send_request' },
    } as AgentTool).text,
    'HTTP: Send request',
  );
  equal(
    aboutTool({ type: 'MCP', toolName: 't', serverUrl: 'https://a.example' } as AgentTool).text,
    'https://a.example',
  );
});

test('a result is parsed block by block', () => {
  equal(
    blocksOf([
      { type: 'MARKDOWN', markdown: 'Hello' },
      {
        type: 'TOOL_CALL',
        toolName: 'orders',
        displayName: 'Orders',
        status: 'completed',
        input: { a: 1 },
        output: { failed: true, error: 'no' },
        startTime: '2026-01-01T00:00:00.000Z',
        endTime: '2026-01-01T00:00:01.500Z',
      },
      { type: 'TOOL_CALL', toolName: 'later', status: 'in-progress', input: {} },
      { type: 'ELSE' },
    ]),
    [
      { kind: 'said', text: 'Hello' },
      {
        kind: 'called',
        name: 'orders',
        about: 'Orders',
        input: { a: 1 },
        output: { failed: true, error: 'no' },
        running: false,
        failed: true,
        tookMs: 1500,
      },
      { kind: 'called', name: 'later', about: '', input: {}, running: true, failed: false },
    ],
  );
  equal(whole({}).maxSteps, 20);
});
