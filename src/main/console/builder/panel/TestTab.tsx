import { useEffect } from 'preact/hooks';
import { Button } from '../../base/components/Button';
import { CopyButton } from '../../base/components/CopyButton';
import { Badge, Notice, Skeleton } from '../../base/components/States';
import { useStore } from '../../base/store';
import { t } from '../../base/text';
import { useQuery } from '../../base/query';
import { duration } from '../../base/time';
import { ErrorView } from '../../runs/ErrorView';
import { JsonView } from '../../runs/JsonView';
import { useBuilder } from '../context';
import { addressesOf } from '../fields/MarkdownField';
import { useScope } from '../fields/scope';
import type { Step } from '../steps';
import { SampleView } from './SampleView';
import type { TestState } from './stepTester';
import { branchesTaken } from './testRecord';

export function TestTab({ step, test }: { step: Step; test: () => void }) {
  const { samples, builder, tester } = useBuilder();
  const { operation } = useScope();
  useStore(samples.store);
  const state = useStore(tester.store, (all) => all.get(step.name) ?? tester.of(step.name));
  useEffect(() => void samples.load([step]), [step.settings.sampleData?.lastTestDate]);
  const sample = samples.of(step);
  const kept = useQuery(`input ${step.name} ${step.settings.sampleData?.sampleDataInputFileId ?? ''}`, () =>
    samples.inputOf(step),
  );
  const input = state.input ?? kept.value;
  const listens = step.name === 'trigger' && operation?.testStrategy === 'SIMULATION';
  const running = state.phase === 'running';
  const { webhookUrl } = addressesOf(builder.store.get().flow.id);
  return (
    <div class="column test-tab">
      <div class="row">
        {running ? (
          <Button icon="square" onClick={() => tester.stop(step.name)}>
            {t('test.stop')}
          </Button>
        ) : (
          <Button kind="primary" icon="play" needs="WRITE_FLOW" disabled={!step.valid} onClick={test}>
            {t(listens ? 'test.listen' : step.name === 'trigger' ? 'test.trigger' : 'test.step')}
          </Button>
        )}
        <Outcome state={state} />
      </div>
      {step.valid ? null : <Notice tone="amber">{t('test.invalid')}</Notice>}
      {running && state.isListening ? (
        <Notice tone="blue">
          {t('test.waiting')}
          <div class="copyable">
            <code class="cut">{`${webhookUrl}/test`}</code>
            <CopyButton text={`${webhookUrl}/test`} />
          </div>
        </Notice>
      ) : null}
      {state.failure ? <Notice failure={state.failure} /> : null}
      {state.phase === 'bad' && state.error !== undefined ? (
        <ErrorView text={state.error} stepType={step.type} />
      ) : null}
      {state.console ? (
        <details open>
          <summary>{t('test.console')}</summary>
          <pre class="console-text" data-console>
            {state.console}
          </pre>
        </details>
      ) : null}
      {step.type === 'ROUTER' ? <Branches output={sample.state === 'some' ? sample.value : undefined} /> : null}
      <div class="test-sides">
        {input !== undefined && step.name !== 'trigger' ? (
          <section data-test-input>
            <h3>{t('run.step.input')}</h3>
            <JsonView value={input} label={t('run.step.input')} />
          </section>
        ) : null}
        <section data-test-output>
          {step.name === 'trigger' ? null : <h3>{t('run.step.output')}</h3>}
          {sample.state === 'loading' ? (
            <Skeleton lines={4} />
          ) : (
            <SampleView
              key={sample.key}
              value={sample.state === 'some' ? sample.value : undefined}
              nothing={sample.state !== 'some'}
              {...(step.settings.sampleData?.lastTestDate ? { when: step.settings.sampleData.lastTestDate } : {})}
              keep={(value) => void tester.keep(step.name, value)}
            />
          )}
        </section>
      </div>
    </div>
  );
}

function Outcome({ state }: { state: TestState }) {
  if (state.phase === 'running') {
    return (
      <Badge tone="blue" icon="loader-circle" spin>
        {t(state.isListening ? 'test.listening' : 'run.status.RUNNING')}
      </Badge>
    );
  }
  return state.phase === 'good' ? (
    <Badge tone="green" icon="circle-check">
      {state.tookMs ? t('test.took', { time: duration(state.tookMs) }) : t('run.status.SUCCEEDED')}
    </Badge>
  ) : state.phase === 'bad' ? (
    <Badge tone="red" icon="circle-x">
      {t('run.status.FAILED')}
    </Badge>
  ) : null;
}

function Branches({ output }: { output: unknown }) {
  const taken = branchesTaken(output);
  return taken === undefined ? null : (
    <div data-branches-taken>
      <Notice tone="blue">
        {taken.length === 0 ? t('test.noBranch') : t('test.branches', { names: taken.join(', ') })}
      </Notice>
    </div>
  );
}
