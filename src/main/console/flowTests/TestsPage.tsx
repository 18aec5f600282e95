import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { api } from '../base/api/client';
import { Button, LinkButton } from '../base/components/Button';
import { SmallSelect } from '../base/components/Field';
import { Empty, Failed, Notice, Skeleton } from '../base/components/States';
import { useCommands } from '../base/commands';
import { useQuery } from '../base/query';
import { narrow, usePlace } from '../base/router';
import { t } from '../base/text';
import { walk, type Step } from '../builder/steps';
import { Page } from '../frame/Page';
import { CoveragePanel } from './Coverage';
import { TestDialogs, type Asked } from './dialogs';
import { countsOf, withoutResult } from './model';
import { TestList } from './TestList';
import { useTestRuns } from './useTestRuns';

export default function TestsPage({ params }: { params: Record<string, string> }) {
  const { projectId, flowId } = params as { projectId: string; flowId: string };
  const { query } = usePlace();
  const version = query.get('version') === 'published' ? 'published' : 'draft';
  const flow = useQuery(`tested flow ${flowId}`, (signal) =>
    api('GET /v1/flows/{id}', { path: { id: flowId }, signal }),
  );
  const tests = useQuery(`tests ${flowId}`, (signal) =>
    api('GET /v1/flows/{id}/tests', { path: { id: flowId }, signal }),
  );
  const [asked, setAsked] = useState<Asked>();
  const runs = useTestRuns(flowId, version);
  const list = tests.value?.data ?? [];
  const trigger = flow.value?.version.trigger as Step | undefined;
  const title = useMemo(() => {
    const names = new Map(
      (trigger ? walk(trigger) : []).map((each, index) => [each.step.name, `${index + 1}. ${each.step.displayName}`]),
    );
    return (path: string): string => names.get(path.split('.').pop() ?? '') ?? path;
  }, [trigger]);
  const first = useRef(query.get('run') === 'true');
  useEffect(() => {
    if (first.current && list.length > 0) {
      first.current = false;
      narrow({ run: undefined });
      void runs.runAll();
    }
  }, [list.length]);
  useCommands(
    [
      {
        id: 'flow-tests-run',
        label: t('flowTests.runAll'),
        icon: 'play',
        group: t('flowTests.open'),
        when: () => list.length > 0,
        perform: () => runs.runAll(),
      },
      {
        id: 'flow-tests-new',
        label: t('flowTests.new'),
        icon: 'plus',
        needs: 'WRITE_FLOW',
        group: t('flowTests.open'),
        perform: () => setAsked({ kind: 'new' }),
      },
    ],
    [flowId, version, list.length],
  );
  const counts = countsOf(list, runs.results);
  return (
    <Page
      title={t('flowTests.title', { name: flow.value?.version.displayName ?? '…' })}
      actions={
        <>
          <LinkButton kind="quiet" icon="arrow-left" to={`/projects/${projectId}/flows/${flowId}`}>
            {t('flowTests.back')}
          </LinkButton>
          {list.length === 0 ? null : (
            <>
              <Button icon="plus" needs="WRITE_FLOW" onClick={() => setAsked({ kind: 'new' })}>
                {t('flowTests.new')}
              </Button>
              <Button
                kind="primary"
                icon="play"
                busy={runs.isBusy}
                more={{ 'data-run-tests': '' }}
                onClick={() => runs.runAll()}>
                {t('flowTests.runAll')}
              </Button>
            </>
          )}
        </>
      }>
      {!tests.value ? (
        tests.failure ? (
          <Failed failure={tests.failure} retry={tests.reload} />
        ) : (
          <Skeleton lines={4} />
        )
      ) : list.length === 0 ? (
        <div class="card">
          <Empty
            icon="flask-conical"
            title={t('flowTests.empty.title')}
            text={t('flowTests.empty.text')}
            needs="WRITE_FLOW"
            readerText={t('flowTests.empty.reader')}>
            <LinkButton icon="activity" to={`/projects/${projectId}/runs?flow=${flowId}`}>
              {t('flowTests.empty.runs')}
            </LinkButton>
            <Button icon="plus" needs="WRITE_FLOW" onClick={() => setAsked({ kind: 'new' })}>
              {t('flowTests.new')}
            </Button>
          </Empty>
        </div>
      ) : (
        <div class="flow-tests">
          <div class="toolbar">
            {flow.value?.publishedVersionId ? (
              <SmallSelect
                label={t('flowTests.version')}
                value={version}
                onValue={(chosen) => narrow({ version: chosen === 'draft' ? '' : chosen })}>
                <option value="draft">{t('flowTests.version.draft')}</option>
                <option value="published">{t('flowTests.version.published')}</option>
              </SmallSelect>
            ) : null}
            <span class="faint figures" role="status">
              {counts ? t('flowTests.summary', counts) : null}
            </span>
          </div>
          {runs.failure ? <Notice failure={runs.failure} /> : null}
          <TestList
            tests={list}
            results={runs.results}
            isBusy={runs.isBusy}
            marked={query.get('test') ?? undefined}
            title={title}
            run={(id) => void runs.runOne(id)}
            ask={setAsked}
          />
          {runs.results.coverage ? <CoveragePanel coverage={runs.results.coverage} title={title} /> : null}
        </div>
      )}
      {asked ? (
        <TestDialogs
          flowId={flowId}
          asked={asked}
          close={() => setAsked(undefined)}
          changed={(testId) => {
            runs.update((now) => withoutResult(now, testId));
            tests.reload();
          }}
        />
      ) : null}
    </Page>
  );
}
