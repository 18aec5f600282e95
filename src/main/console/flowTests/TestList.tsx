import { useState } from 'preact/hooks';
import { Button } from '../base/components/Button';
import { RowMenu } from '../base/components/RowMenu';
import { Badge } from '../base/components/States';
import { count, t } from '../base/text';
import type { Asked } from './dialogs';
import { looks, stateOf, subjectOf, valueOf, type FlowTest, type Results, type TestResult } from './model';

interface Props {
  tests: readonly FlowTest[];
  results: Results;
  isBusy: boolean;
  /** Id of the test that a link names. */
  marked: string | undefined;
  title: (path: string) => string;
  run: (testId: string) => void;
  ask: (asked: Asked) => void;
}

export function TestList({ tests, results, isBusy, marked, title, run, ask }: Props) {
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set());
  const turn = (id: string): void =>
    setFolded((before) => {
      const after = new Set(before);
      if (!after.delete(id)) {
        after.add(id);
      }
      return after;
    });
  return (
    <ul class="card flow-test-list">
      {tests.map((each) => {
        const state = stateOf(results, each.id);
        const result = results.byId[each.id];
        const hasDetails = state === 'failed' || state === 'stale';
        const isOpen = hasDetails && !folded.has(each.id);
        return (
          <li key={each.id} data-test={each.id} data-state={state} data-marked={each.id === marked}>
            <div class="flow-test-line">
              <Badge tone={looks[state].tone} icon={looks[state].icon}>
                {t(`flowTests.state.${state}`)}
              </Badge>
              <b class="flow-test-name">{each.name}</b>
              <span class="flow-test-actions">
                {hasDetails ? (
                  <Button
                    kind="quiet"
                    size="small"
                    icon={isOpen ? 'chevron-down' : 'chevron-right'}
                    label={t(isOpen ? 'flowTests.hide' : 'flowTests.show', { name: each.name })}
                    more={{ 'aria-expanded': isOpen }}
                    onClick={() => turn(each.id)}
                  />
                ) : null}
                <Button
                  size="small"
                  icon="play"
                  disabled={isBusy}
                  more={{ 'aria-label': t('flowTests.runOne', { name: each.name }) }}
                  onClick={() => run(each.id)}>
                  {t('flowTests.run')}
                </Button>
                <Button
                  size="small"
                  icon="pencil"
                  needs="WRITE_FLOW"
                  more={{ 'data-edit-test': '' }}
                  onClick={() => ask({ kind: 'edit', test: each })}>
                  {t('flowTests.edit')}
                </Button>
                <RowMenu
                  name={each.name}
                  groups={[
                    {
                      items: [
                        {
                          label: t('flowTests.rename'),
                          icon: 'type',
                          needs: 'WRITE_FLOW',
                          perform: () => ask({ kind: 'rename', test: each }),
                        },
                        {
                          label: t('flowTests.delete'),
                          icon: 'trash-2',
                          danger: true,
                          needs: 'WRITE_FLOW',
                          perform: () => ask({ kind: 'delete', test: each }),
                        },
                      ],
                    },
                  ]}
                />
              </span>
            </div>
            {isOpen && result ? <Details result={result} title={title} /> : null}
          </li>
        );
      })}
    </ul>
  );
}

function Details({ result, title }: { result: TestResult; title: (path: string) => string }) {
  const hidden = result.differencesCount - result.differences.length;
  return (
    <div class="flow-test-details">
      {result.stale ? (
        <p>
          {t('flowTests.staleAt', {
            step: title(result.stale.step),
            reason: /[.!?]$/.test(result.stale.reason) ? result.stale.reason : `${result.stale.reason}.`,
          })}
        </p>
      ) : null}
      {result.differences.map((each) => (
        <div key={each.path} class="flow-test-difference">
          <b>{subjectOf(each.path, title)}</b>
          <Side name={t('flowTests.expected')} text={valueOf(each.path, each.expected, title)} />
          <Side name={t('flowTests.found')} text={valueOf(each.path, each.found, title)} />
        </div>
      ))}
      {hidden > 0 ? <p class="faint">{count('flowTests.more', hidden)}</p> : null}
    </div>
  );
}

const Side = ({ name, text }: { name: string; text: string | undefined }) => (
  <div class="flow-test-side">
    <span class="faint">{name}</span>
    {text === undefined ? <i class="faint">{t('flowTests.nothing')}</i> : <pre>{text}</pre>}
  </div>
);
