import { useEffect, useState } from 'preact/hooks';
import { Button } from '../../base/components/Button';
import { CopyButton } from '../../base/components/CopyButton';
import { Badge, Notice, Skeleton } from '../../base/components/States';
import { Tabs } from '../../base/components/Tabs';
import { useLive } from '../../base/live/channel';
import { useStore } from '../../base/store';
import { t } from '../../base/text';
import { useBuilder } from '../context';
import { Tree } from '../data/Tree';
import { Code } from '../fields/Code';
import { addressesOf } from '../fields/MarkdownField';
import { useScope } from '../fields/scope';
import type { Step } from '../steps';
import { useTest, type TestState } from './useTest';

/** Tries the step or the trigger in place, and shows what it put out. */
export function TestTab({ step }: { step: Step }) {
  const { samples, builder } = useBuilder();
  const { operation } = useScope();
  useStore(samples.store);
  const { state, begin, stop, hear, keep } = useTest(step);
  useLive('TEST_STEP_FINISHED', hear, [step.name]);
  useEffect(() => void samples.load([step]), [step.settings.sampleData?.lastTestDate]);
  const sample = samples.of(step);
  const listens = step.name === 'trigger' && operation?.testStrategy === 'SIMULATION';
  const running = state.phase === 'running';
  const { webhookUrl } = addressesOf(builder.store.get().flow.id);
  return (
    <div class="column">
      <div class="row">
        {running ? <Button icon="square" onClick={stop}>{t('test.stop')}</Button>
          : <Button kind="primary" icon="play" needs="WRITE_FLOW" disabled={!step.valid} onClick={() => void begin(listens ? 'SIMULATION' : 'TEST_FUNCTION')}>{t(listens ? 'test.listen' : step.name === 'trigger' ? 'test.trigger' : 'test.step')}</Button>}
        <Outcome state={state} />
      </div>
      {step.valid ? null : <Notice tone="amber">{t('test.invalid')}</Notice>}
      {running && listens ? (
        <Notice tone="blue">{t('test.waiting')}<div class="copyable"><code class="cut">{`${webhookUrl}/test`}</code><CopyButton text={`${webhookUrl}/test`} /></div></Notice>
      ) : null}
      {state.failure ? <Notice failure={state.failure} /> : null}
      {state.error ? <Notice tone="red"><pre class="error-text">{state.error}</pre></Notice> : null}
      {state.console ? <details open><summary>{t('test.console')}</summary><pre class="console-text">{state.console}</pre></details> : null}
      {sample.state === 'loading' ? <Skeleton lines={4} /> : <Output key={sample.key} value={sample.state === 'some' ? sample.value : undefined} nothing={sample.state !== 'some'}
        {...(step.settings.sampleData?.lastTestDate ? { when: step.settings.sampleData.lastTestDate } : {})} keep={keep} />}
    </div>
  );
}

function Outcome({ state }: { state: TestState }) {
  if (state.phase === 'running') {
    return <Badge tone="blue" icon="loader-circle" spin>{t('run.status.RUNNING')}</Badge>;
  }
  return state.phase === 'good' ? <Badge tone="green" icon="circle-check">{t('test.good', { time: state.took ?? 0 })}</Badge>
    : state.phase === 'bad' ? <Badge tone="red" icon="circle-x">{t('run.status.FAILED')}</Badge> : null;
}

/** The value as a tree and as JSON; what is not there yet can be written by hand. */
function Output({ value, nothing, when, keep }: { value: unknown; nothing: boolean; when?: string; keep: (value: unknown) => void }) {
  const [tab, show] = useState('tree');
  const [mock, edit] = useState<string>();
  const text = value === undefined ? '' : JSON.stringify(value, null, 2);
  if (mock !== undefined) {
    const parsed = parse(mock);
    return (
      <div class="column">
        <Code label={t('test.byHand')} language="json" tall value={mock} onValue={edit} />
        <div class="row">
          <Button kind="primary" disabled={!parsed} onClick={() => {
            keep(parsed!.value);
            edit(undefined);
          }}>{t('test.keep')}</Button>
          <Button onClick={() => edit(undefined)}>{t('base.cancel')}</Button>
          {parsed ? null : <span class="problem-text">{t('field.badJson')}</span>}
        </div>
      </div>
    );
  }
  const byHand = <Button kind="quiet" size="small" icon="pencil" needs="WRITE_FLOW" onClick={() => edit(text || '{\n  \n}')}>{t('test.byHand')}</Button>;
  if (nothing) {
    return <div class="column"><p class="faint">{t('test.nothing')}</p><div>{byHand}</div></div>;
  }
  return (
    <div class="output">
      <div class="row"><span class="faint">{when ? t('test.when', { time: new Date(when).toLocaleString() }) : ''}</span><span class="spread" />{byHand}<CopyButton text={text} /></div>
      <Tabs label={t('panel.test')} chosen={tab} onChoose={show} tabs={[{ key: 'tree', label: t('test.tree') }, { key: 'json', label: t('test.json') }]}>
        {tab === 'tree' ? <div role="tree" class="output-tree"><Tree name={t('data.all')} value={value} open /></div> : <pre class="output-json">{text}</pre>}
      </Tabs>
    </div>
  );
}

function parse(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
}
