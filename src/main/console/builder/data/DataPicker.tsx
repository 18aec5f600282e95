import { useEffect, useRef, useState } from 'preact/hooks';
import { Button } from '../../base/components/Button';
import { SearchField } from '../../base/components/Field';
import { Icon } from '../../base/components/Icon';
import { useStore } from '../../base/store';
import { t } from '../../base/text';
import { errorOf } from '../../runs/errors';
import { PieceLogo } from '../canvas/PieceLogo';
import { useBuilder } from '../context';
import { activeField, dataPicker } from '../fields/active';
import { stepsBefore, walk, type Step } from '../steps';
import { withLoopItems } from './loopItems';
import { tokenOf } from './references';
import { Tree } from './Tree';

/**
 * Outputs of earlier steps. A click inserts a reference at the caret, a drag drops one on any field; a step without a
 * sample can be tested in place.
 */
export function DataPicker({ step }: { step: Step }) {
  const { builder, samples } = useBuilder();
  const trigger = useStore(builder.store, (now) => now.version.trigger);
  useStore(samples.store);
  const [typed, setTyped] = useState('');
  const element = useRef<HTMLElement>(null);
  const before = stepsBefore(trigger, step.name);
  const numbers = new Map(walk(trigger).map((visited, index) => [visited.step.name, index + 1]));
  const sampleOf = withLoopItems(before, (name) => {
    const each = before.find((one) => one.name === name);
    const sample = each ? samples.of(each) : undefined;
    return sample?.state === 'some' ? { value: sample.value } : undefined;
  });
  useEffect(() => {
    void samples.load(before);
    element.current?.querySelector<HTMLElement>('input')?.focus();
  }, [step.name]);
  const close = (): void => {
    dataPicker.set(false);
    activeField.get()?.focus();
  };
  const steer = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') {
      event.preventDefault();
      event.stopPropagation();
      close();
    } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      const choices = [...element.current!.querySelectorAll<HTMLElement>('.tree-choice')];
      const at = choices.indexOf(document.activeElement as HTMLElement);
      choices[event.key === 'ArrowDown' ? Math.min(at + 1, choices.length - 1) : Math.max(0, at - 1)]?.focus();
    } else if (
      (event.key === 'ArrowRight' || event.key === 'ArrowLeft') &&
      (event.target as HTMLElement).classList.contains('tree-choice')
    ) {
      const fold = (event.target as HTMLElement).parentElement?.querySelector<HTMLElement>('button.tree-fold');
      const open = fold?.closest('[role="treeitem"]')?.getAttribute('aria-expanded') === 'true';
      if (fold && open === (event.key === 'ArrowLeft')) {
        event.preventDefault();
        fold.click();
      }
    }
  };
  const choose =
    (name: string) =>
    (path: ReadonlyArray<string | number>): void => {
      activeField.get()?.insert(tokenOf(name, path));
      activeField.get()?.focus();
    };
  return (
    <section class="data-picker" ref={element} aria-label={t('data.title')} onKeyDown={steer}>
      <header class="row">
        <h3>{t('data.title')}</h3>
        <span class="spread" />
        <Button kind="quiet" size="small" icon="x" label={t('base.close')} onClick={close} />
      </header>
      <SearchField label={t('data.search')} value={typed} onValue={setTyped} />
      <div class="data-steps">
        {[...before].reverse().map((each) => {
          const sample = sampleOf(each.name);
          return (
            <div key={each.name} class="data-step">
              <div class="row data-step-head">
                <PieceLogo step={each} size={16} />
                <span class="cut">
                  {numbers.get(each.name)}. {each.displayName}
                </span>
              </div>
              {sample && !isNothing(sample.value) ? (
                <div role="tree" aria-label={each.displayName}>
                  <Tree
                    name={t('data.all')}
                    value={sample.value}
                    onChoose={choose(each.name)}
                    tokenOf={(path) => tokenOf(each.name, path)}
                    filter={typed.trim().toLowerCase()}
                    open
                  />
                </div>
              ) : samples.of(each).state === 'loading' ? (
                <p class="faint">{t('base.loading')}</p>
              ) : (
                <Untested step={each} />
              )}
            </div>
          );
        })}
      </div>
    </section>
  );
}

function Untested({ step }: { step: Step }) {
  const { tester } = useBuilder();
  const state = useStore(tester.store, (all) => all.get(step.name) ?? tester.of(step.name));
  if (state.phase === 'running') {
    return (
      <p class="faint data-untested" role="status">
        <Icon name="loader-circle" size={14} spin /> {t(state.isListening ? 'data.listening' : 'data.testing')}{' '}
        <Button kind="quiet" size="small" icon="square" onClick={() => tester.stop(step.name)}>
          {t('test.stop')}
        </Button>
      </p>
    );
  }
  return (
    <>
      <p class="faint data-untested">
        {t('data.untested')}{' '}
        <Button
          kind="quiet"
          size="small"
          icon="play"
          needs="WRITE_FLOW"
          more={{ 'data-test': step.name }}
          onClick={() => tester.begin(step.name)}>
          {t('data.test')}
        </Button>
      </p>
      {state.error !== undefined ? <p class="problem-text data-untested">{errorOf(state.error).message}</p> : null}
    </>
  );
}

const isNothing = (value: unknown): boolean =>
  value !== null && typeof value === 'object' && !Array.isArray(value) && Object.keys(value).length === 0;
