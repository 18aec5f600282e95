import { createContext, type ComponentChildren } from 'preact';
import { useContext } from 'preact/hooks';
import { Notice, Skeleton } from '../../base/components/States';
import { useQuery } from '../../base/query';
import { success, type Result } from '../../base/api/failure';
import { pieceOf } from '../canvas/pieces';
import { useBuilder } from '../context';
import { ScopeProvider, type Scope } from '../fields/scope';
import { givenOf, type Operation as FlowOperation } from '../operations';
import type { Piece } from '../properties';
import { findStep, type Settings, type Step } from '../steps';

const Changing = createContext<(settings: Partial<Settings>) => void>(() => undefined);
export const useChange = (): ((settings: Partial<Settings>) => void) => useContext(Changing);

export function StepScope({ step, children }: { step: Step; children: ComponentChildren }) {
  const { builder } = useBuilder();
  const { pieceName, pieceVersion, actionName, triggerName } = step.settings;
  const piece = useQuery(
    `piece ${pieceName ?? ''} ${pieceVersion ?? ''}`,
    async (): Promise<Result<Piece | undefined>> => (pieceName ? pieceOf(pieceName, pieceVersion) : success(undefined)),
  );
  /** Starts from the current settings, so that two changes in one render do not overwrite each other. */
  const change = (settings: Partial<Settings>): void => {
    const now = findStep(builder.version.trigger, step.name) ?? step;
    const given = givenOf(now);
    const request = { ...given, valid: true, settings: { ...given.settings, ...settings } };
    const operation: FlowOperation =
      step.name === 'trigger' ? { type: 'UPDATE_TRIGGER', request } : { type: 'UPDATE_ACTION', request };
    builder.perform(operation);
  };
  const operation = actionName
    ? piece.value?.actions[actionName]
    : triggerName
      ? piece.value?.triggers[triggerName]
      : undefined;
  const scope: Scope = {
    step,
    ...(piece.value ? { piece: piece.value } : {}),
    ...(operation ? { operation } : {}),
    input: step.settings.input ?? {},
    settingOf: (name) => step.settings.propertySettings?.[name],
    setSetting: (name, setting) => {
      const now = findStep(builder.version.trigger, step.name) ?? step;
      change({ propertySettings: { ...now.settings.propertySettings, [name]: setting } });
    },
  };
  if (pieceName && !piece.value) {
    return <div class="panel-body">{piece.failure ? <Notice failure={piece.failure} /> : <Skeleton lines={5} />}</div>;
  }
  return (
    <ScopeProvider value={scope}>
      <Changing.Provider value={change}>{children}</Changing.Provider>
    </ScopeProvider>
  );
}
