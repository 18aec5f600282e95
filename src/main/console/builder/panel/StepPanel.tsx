import { useEffect, useRef, useState } from 'preact/hooks';
import { Button } from '../../base/components/Button';
import { Menu } from '../../base/components/Menu';
import { Tabs } from '../../base/components/Tabs';
import { useCommands } from '../../base/commands';
import { useMay } from '../../base/permissions';
import { useStore } from '../../base/store';
import { t } from '../../base/text';
import { useKeptFocus } from '../../base/useKeptFocus';
import { kindOf } from '../canvas/StepCard';
import { summaries } from '../canvas/pieces';
import { PieceLogo } from '../canvas/PieceLogo';
import { useBuilder } from '../context';
import { DataPicker } from '../data/DataPicker';
import { dataPicker } from '../fields/active';
import { givenOf } from '../operations';
import { findStep, type Step } from '../steps';
import { ErrorHandling } from './ErrorHandling';
import { PanelEdge, shownWidth, usePanelWidth } from './PanelEdge';
import { Settings } from './Settings';
import { TestFoot } from './TestFoot';
import { TestTab } from './TestTab';
import { StepScope } from './StepScope';
import { StepWarnings } from './StepWarnings';
import { UntestedDialog } from './UntestedDialog';

type Tab = 'settings' | 'test' | 'errors';

export function PanelOf({ step }: { step: Step }) {
  const { builder, focus, tester } = useBuilder();
  const mayWrite = useMay('WRITE_FLOW');
  const [tab, setTab] = useState<Tab>('settings');
  const [untested, setUntested] = useState<Step[]>([]);
  const [width, setWidth] = usePanelWidth();
  const picking = useStore(dataPicker);
  const element = useRef<HTMLElement>(null);
  useKeptFocus(element, () => element.current!.querySelector<HTMLElement>('.data-picker input') ?? element.current);
  useStore(summaries);
  useEffect(() => () => dataPicker.set(false), []);
  const close = (): void => {
    focus.set({ step: step.name, side: 'none' });
    requestAnimationFrame(() =>
      document.querySelector<HTMLElement>(`[data-step="${step.name}"]`)?.focus({ preventScroll: true }),
    );
  };
  const test = async (): Promise<void> => {
    const now = findStep(builder.version.trigger, step.name) ?? step;
    if (!mayWrite || !now.valid) {
      return;
    }
    dataPicker.set(false);
    setTab('test');
    const missing = await tester.untested(now);
    setUntested(missing);
    if (missing.length === 0) {
      await tester.begin(step.name);
    }
  };
  useCommands(
    [
      {
        id: 'builder-test-step',
        label: t(step.name === 'trigger' ? 'panel.testTrigger' : 'panel.testStep'),
        icon: 'play',
        keys: 'Ctrl+Enter',
        needs: 'WRITE_FLOW',
        group: t('builder.group'),
        // The Test tab shows the progress, for a listening trigger possibly for minutes.
        perform: () => void test(),
      },
    ],
    [builder, tester, step.name, mayWrite],
  );
  const shown = shownWidth(width, tab === 'test' && step.name !== 'trigger');
  const canFail = step.type === 'CODE' || step.type === 'PIECE';
  return (
    <aside
      class="step-panel"
      ref={element}
      tabIndex={-1}
      aria-label={t('panel.of', { name: step.displayName })}
      style={{ '--panel': `${shown}px` }}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && !event.defaultPrevented) {
          event.preventDefault();
          event.stopPropagation();
          if (picking) {
            dataPicker.set(false);
          } else {
            close();
          }
        }
      }}>
      <PanelEdge width={shown} onWidth={setWidth} />
      <header class="panel-head">
        <PieceLogo step={step} />
        <Name step={step} />
        <StepMenu step={step} />
        <Button kind="quiet" size="small" icon="x" label={t('base.close')} shortcut="Esc" onClick={close} />
      </header>
      <Tabs
        label={t('panel.tabs')}
        chosen={tab}
        onChoose={(id) => setTab(id as Tab)}
        tabs={[
          { key: 'settings', label: t('panel.settings') },
          { key: 'test', label: t('panel.test') },
          ...(canFail ? [{ key: 'errors', label: t('panel.errors') }] : []),
        ]}>
        <StepScope step={step}>
          <div class="panel-body">
            {tab === 'test' ? (
              <TestTab step={step} test={() => void test()} />
            ) : (
              <>
                {tab === 'settings' ? <StepWarnings step={step} /> : null}
                <fieldset class="panel-fields" disabled={!mayWrite}>
                  {tab === 'settings' ? <Settings step={step} /> : <ErrorHandling step={step} />}
                </fieldset>
              </>
            )}
          </div>
          {tab === 'settings' ? <TestFoot step={step} test={() => void test()} /> : null}
          {picking ? <DataPicker step={step} /> : null}
        </StepScope>
      </Tabs>
      {untested.length > 0 ? <UntestedDialog step={step} untested={untested} onClose={() => setUntested([])} /> : null}
    </aside>
  );
}

function Name({ step }: { step: Step }) {
  const { builder } = useBuilder();
  const rename = (displayName: string): void => {
    if (displayName.trim() !== '') {
      const request = { ...givenOf(findStep(builder.version.trigger, step.name) ?? step), displayName };
      builder.perform(
        step.name === 'trigger' ? { type: 'UPDATE_TRIGGER', request } : { type: 'UPDATE_ACTION', request },
      );
    }
  };
  const kind = [kindOf(step), step.settings.pieceVersion].filter(Boolean).join(' ');
  return (
    <div class="panel-name">
      <input
        class="ghost-input"
        aria-label={t('panel.name')}
        readOnly={!useMay('WRITE_FLOW')}
        value={step.displayName}
        onInput={(event) => rename(event.currentTarget.value)}
      />
      {kind === step.displayName ? null : <span class="faint cut">{kind}</span>}
    </div>
  );
}

function StepMenu({ step }: { step: Step }) {
  const { builder, focus } = useBuilder();
  const isTrigger = step.name === 'trigger';
  return (
    <Menu
      label={t('panel.actions', { name: step.displayName })}
      button={(wiring) => (
        <Button
          kind="quiet"
          size="small"
          icon="ellipsis"
          label={t('panel.actions', { name: step.displayName })}
          onClick={wiring.onClick}
          more={{ 'aria-haspopup': 'menu', 'aria-expanded': wiring['aria-expanded'] }}
        />
      )}
      groups={
        isTrigger
          ? [
              {
                items: [
                  {
                    label: t('panel.otherTrigger'),
                    icon: 'zap',
                    needs: 'WRITE_FLOW',
                    perform: () => focus.set({ step: 'trigger', side: 'picker' }),
                  },
                ],
              },
            ]
          : [
              {
                items: [
                  {
                    label: t('builder.duplicate'),
                    icon: 'copy',
                    needs: 'WRITE_FLOW',
                    shortcut: 'Ctrl+D',
                    perform: () => builder.perform({ type: 'DUPLICATE_ACTION', request: { stepName: step.name } }),
                  },
                  {
                    label: t(step.skip ? 'builder.unskip' : 'builder.skip'),
                    icon: 'skip-forward',
                    needs: 'WRITE_FLOW',
                    shortcut: 'Ctrl+E',
                    perform: () =>
                      builder.perform({ type: 'SET_SKIP_ACTION', request: { names: [step.name], skip: !step.skip } }),
                  },
                ],
              },
              {
                items: [
                  {
                    label: t('builder.delete'),
                    icon: 'trash-2',
                    danger: true,
                    needs: 'WRITE_FLOW',
                    perform: () => {
                      builder.perform({ type: 'DELETE_ACTION', request: { names: [step.name] } });
                      focus.set({ step: 'trigger', side: 'none' });
                    },
                  },
                ],
              },
            ]
      }
    />
  );
}
