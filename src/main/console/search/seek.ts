import { api } from '../base/api/client';
import { success, type Result } from '../base/api/failure';
import type { Command, Seeker } from '../base/commands';
import type { IconName } from '../base/components/Icon';
import { may } from '../base/permissions';
import { navigate } from '../base/router';
import { found } from '../base/search';
import { session } from '../base/session';
import { t } from '../base/text';
import { moment } from '../base/time';
import type { Flow } from '../flows/model';
import { isId, isWorthAsking, stepsFitting } from './find';

/** Limit of results of each kind. */
const EACH = 5;
/** Steps are searched in this number of newest flows. */
const FLOWS = 100;
const FRESH_MS = 30_000;

interface Named {
  id: string;
  displayName?: string;
  name?: string;
}

let kept: { projectId: string; at: number; flows: Promise<Result<Flow[]>> } | undefined;

function newestFlows(projectId: string): Promise<Result<Flow[]>> {
  if (kept?.projectId !== projectId || Date.now() - kept.at > FRESH_MS) {
    kept = {
      projectId,
      at: Date.now(),
      flows: api('GET /v1/flows', { query: { projectId, limit: FLOWS } }).then((page) =>
        page.ok ? success(page.value.data as Flow[]) : page,
      ),
    };
  }
  return kept.flows;
}

const to = (id: string, label: string, group: string, icon: IconName, place: string): Command => ({
  id,
  label,
  group,
  icon,
  perform: () => navigate(place),
});

export const seekerOf =
  (projectId: string): Seeker =>
  async (typed, signal) => {
    if (!isWorthAsking(typed)) {
      return [];
    }
    const home = `/projects/${projectId}`;
    const text = typed.trim();
    const kinds: Array<Promise<Command[]>> = [
      ...(may('READ_FLOW') ? [flows(projectId, text, signal), steps(projectId, text)] : []),
      ...(may('READ_TABLE')
        ? [
            listed(
              api('GET /v1/tables', { query: { projectId, name: text, limit: EACH }, signal }),
              t('nav.tables'),
              'table',
              (each) => `${home}/tables/${each.id}`,
            ),
          ]
        : []),
      ...(may('READ_APP_CONNECTION')
        ? [
            listed(
              api('GET /v1/app-connections', { query: { projectId, displayName: text, limit: EACH }, signal }),
              t('nav.connections'),
              'plug',
              (each) => `${home}/connections?name=${encodeURIComponent(each.displayName ?? '')}`,
            ),
          ]
        : []),
      ...(may('READ_AGENT')
        ? [
            listed(
              api('GET /v1/agents', { query: { projectId, search: text, limit: EACH }, signal }),
              t('nav.agents'),
              'bot',
              (each) => `${home}/agents/${each.id}`,
            ),
          ]
        : []),
      ...(may('READ_RUN') && isId(text) ? [run(projectId, text, signal)] : []),
      Promise.resolve(projects(text)),
    ];
    return (await Promise.all(kinds)).flat();
  };

async function flows(projectId: string, text: string, signal: AbortSignal): Promise<Command[]> {
  const page = await api('GET /v1/flows', { query: { projectId, name: text, limit: EACH }, signal });
  return page.ok
    ? (page.value.data as Flow[]).flatMap((flow) => [
        to(
          `flow-${flow.id}`,
          flow.version.displayName,
          t('nav.flows'),
          'workflow',
          `/projects/${projectId}/flows/${flow.id}`,
        ),
        ...(may('READ_RUN')
          ? [
              to(
                `runs-${flow.id}`,
                t('search.runsOf', { name: flow.version.displayName }),
                t('nav.runs'),
                'activity',
                `/projects/${projectId}/runs?flow=${flow.id}`,
              ),
            ]
          : []),
      ])
    : [];
}

async function steps(projectId: string, text: string): Promise<Command[]> {
  const all = await newestFlows(projectId);
  return all.ok
    ? stepsFitting(all.value, text, EACH).map((step) =>
        to(
          `step-${step.flowId}-${step.step}`,
          step.name,
          t('search.stepOf', { flow: step.flow }),
          'circle-dot',
          `/projects/${projectId}/flows/${step.flowId}?step=${step.step}`,
        ),
      )
    : [];
}

async function listed(
  asked: Promise<Result<unknown>>,
  group: string,
  icon: IconName,
  place: (each: Named) => string,
): Promise<Command[]> {
  const page = await asked;
  return page.ok
    ? (page.value as { data: Named[] }).data.map((each) =>
        to(`${icon}-${each.id}`, each.displayName ?? each.name ?? each.id, group, icon, place(each)),
      )
    : [];
}

async function run(projectId: string, id: string, signal: AbortSignal): Promise<Command[]> {
  const answer = await api('GET /v1/flow-runs/{id}', { path: { id }, signal });
  return answer.ok
    ? [
        to(
          `run-${id}`,
          t('search.run', { time: moment(answer.value.created) }),
          t('nav.runs'),
          'activity',
          `/projects/${projectId}/runs/${id}`,
        ),
      ]
    : [];
}

function projects(text: string): Command[] {
  const now = session.get();
  return now.state !== 'in'
    ? []
    : found(now.projects, text, (project) => project.displayName)
        .slice(0, EACH)
        .map((project) =>
          to(
            `project-${project.id}`,
            project.displayName,
            t('base.projects'),
            'folder',
            `/projects/${project.id}/flows`,
          ),
        );
}
