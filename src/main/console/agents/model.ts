import type { AgentSummary } from '#api';
import type { AgentColor, AgentConfig, AgentIcon, AgentTool } from '#api';
import type { Answer } from '../base/api/client';
import type { IconName } from '../base/components/Icon';
import { palette } from '../base/palette';
import { titleFrom } from '../builder/canvas/titles';

export type Agent = Answer<'GET /v1/agents/{id}'>;
export type Summary = AgentSummary;
export type Run = Answer<'GET /v1/agents/runs/{id}'>;
export type { AgentColor, AgentConfig, AgentIcon, AgentTool };

export const ICONS: Record<AgentIcon, IconName> = {
  bot: 'bot',
  sparkles: 'sparkles',
  'message-square': 'message-square',
  users: 'users',
  'book-open': 'book-open',
  'chart-line': 'chart-column',
  calendar: 'calendar',
  mail: 'mail',
  globe: 'globe',
  'file-text': 'file-text',
  search: 'search',
  zap: 'zap',
};
export const ICON_NAMES = Object.keys(ICONS) as AgentIcon[];

export const COLORS: Record<AgentColor, string> = palette;
export const COLOR_NAMES = Object.keys(COLORS) as AgentColor[];

export interface Config {
  instructions: string;
  provider: NonNullable<AgentConfig['provider']> | null;
  providerConfigId: string | null;
  modelName: string | null;
  maxSteps: number;
  tools: AgentTool[];
  structuredOutput: NonNullable<AgentConfig['structuredOutput']>;
}

export const whole = (config: AgentConfig): Config => ({
  instructions: config.instructions ?? '',
  provider: config.provider ?? null,
  providerConfigId: config.providerConfigId ?? null,
  modelName: config.modelName ?? null,
  maxSteps: config.maxSteps ?? 20,
  tools: config.tools ?? [],
  structuredOutput: config.structuredOutput ?? [],
});

/** Compares two configurations regardless of the order of their fields. */
export const isSame = (one: unknown, other: unknown): boolean => written(one) === written(other);

function written(value: unknown): string {
  return (
    JSON.stringify(value, (_, part: unknown) =>
      part !== null && typeof part === 'object' && !Array.isArray(part)
        ? Object.fromEntries(Object.entries(part).sort(([left], [right]) => (left < right ? -1 : 1)))
        : part,
    ) ?? ''
  );
}

export type Standing = 'draft' | 'live' | 'changed';

/** State of the draft: never published, equal to the published configuration, or changed since. */
export const standing = (agent: Pick<Agent, 'draft' | 'published'>): Standing =>
  agent.published === null ? 'draft' : isSame(whole(agent.draft), whole(agent.published)) ? 'live' : 'changed';

/** Turn of a conversation with an agent: the question, and the run that answers it once it is known. */
export interface Turn {
  id: string;
  question: string;
  run: Run | undefined;
}

export interface Message {
  role: 'user' | 'assistant';
  content: string;
}

const MESSAGE_LENGTH_MAX = 51_200;

/** Newest messages of the answered turns, in pairs. A turn without an answer is omitted with its question. */
export function conversationOf(turns: readonly Turn[], messagesMax: number): Message[] {
  const answered = turns.flatMap((turn) => {
    const answer = turn.run ? answerOf(turn.run) : '';
    return answer === '' ? [] : [{ question: turn.question, answer }];
  });
  return answered
    .slice(Math.max(0, answered.length - Math.floor(messagesMax / 2)))
    .flatMap(({ question, answer }): Message[] => [
      { role: 'user', content: question },
      { role: 'assistant', content: answer.slice(0, MESSAGE_LENGTH_MAX) },
    ]);
}

/** Texts of the agent in a run, and its structured output as JSON. Remarks of the server are not texts of the agent. */
function answerOf({ result }: Run): string {
  const texts = blocksOf(result.steps).flatMap((block) =>
    block.kind === 'said' && block.text.trim() !== '' ? [block.text] : [],
  );
  return [...texts, ...(result.structuredOutput ? [JSON.stringify(result.structuredOutput)] : [])].join('\n\n');
}

/** Request of a trial: the published agent by its external id, or the draft with its instructions in front of the question. */
export function trialOf(agent: Agent, question: string, conversation: Message[] = []) {
  const draft = whole(agent.draft);
  const common = { projectId: agent.projectId, ...(conversation.length > 0 ? { conversation } : {}) };
  return standing(agent) === 'live'
    ? { ...common, instruction: question, agentId: agent.externalId }
    : {
        ...common,
        instruction: draft.instructions.trim() === '' ? question : `${draft.instructions.trim()}\n\n${question}`,
        tools: draft.tools,
        structuredOutput: draft.structuredOutput,
        maxSteps: draft.maxSteps,
        ...(draft.modelName ? { modelName: draft.modelName } : {}),
        ...(draft.provider ? { provider: draft.provider } : {}),
        ...(draft.providerConfigId ? { providerConfigId: draft.providerConfigId } : {}),
      };
}

export interface ToolDialogProps {
  projectId: string;
  taken: readonly AgentTool[];
  close: () => void;
  onTool: (tool: AgentTool) => void;
}

function actionTitle(name: string): string {
  const words = name.replaceAll('_', ' ').trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

export function aboutTool(tool: AgentTool): { icon: IconName; text: string } {
  const piece = (tool['pieceMetadata'] ?? {}) as Record<string, unknown>;
  switch (tool.type) {
    case 'PIECE':
      return {
        icon: 'layout-grid',
        text: `${titleFrom(String(piece['pieceName'] ?? ''))}: ${actionTitle(String(piece['actionName'] ?? ''))}`,
      };
    case 'FLOW':
      return { icon: 'workflow', text: String(tool['flowDisplayName'] ?? tool['externalFlowId'] ?? '') };
    case 'MCP':
      return { icon: 'plug', text: String(tool['serverUrl'] ?? '') };
    case 'KNOWLEDGE_BASE':
      return { icon: 'table', text: String(tool['sourceName'] ?? '') };
  }
}

/** Unused tool name of letters, digits, dashes and underscores, which every model accepts. */
export function toolName(wanted: string, taken: readonly AgentTool[]): string {
  const base =
    wanted
      .toLowerCase()
      .replace(/[^a-z0-9_-]+/g, '_')
      .replace(/^_+|_+$/g, '')
      .replace(/^ap_/, '') || 'tool';
  const names = new Set(taken.map((tool) => tool.toolName));
  for (let number = 1; ; number++) {
    const name = number === 1 ? base : `${base}_${number}`;
    if (!names.has(name)) {
      return name;
    }
  }
}

export type Block =
  | { kind: 'said'; text: string }
  | { kind: 'remark'; text: string }
  | {
      kind: 'called';
      name: string;
      about: string;
      input: unknown;
      output: unknown;
      running: boolean;
      failed: boolean;
      tookMs: number | undefined;
    };

const isFailure = (output: unknown): boolean =>
  typeof output === 'object' && output !== null && (output as Record<string, unknown>)['failed'] === true;

/** Blocks of the steps of a result; incomplete while the run is live. */
export function blocksOf(steps: ReadonlyArray<Record<string, unknown>>): Block[] {
  return steps.flatMap((step): Block[] => {
    if (step['type'] === 'MARKDOWN') {
      return [{ kind: step['remark'] === true ? 'remark' : 'said', text: String(step['markdown'] ?? '') }];
    }
    if (step['type'] !== 'TOOL_CALL') {
      return [];
    }
    const [start, end] = [Date.parse(String(step['startTime'] ?? '')), Date.parse(String(step['endTime'] ?? ''))];
    return [
      {
        kind: 'called',
        name: String(step['toolName'] ?? ''),
        about: String(step['displayName'] ?? actionTitle(String(step['actionName'] ?? ''))),
        input: step['input'],
        output: step['output'],
        running: step['status'] !== 'completed',
        failed: isFailure(step['output']),
        tookMs: Number.isNaN(end - start) ? undefined : end - start,
      },
    ];
  });
}
