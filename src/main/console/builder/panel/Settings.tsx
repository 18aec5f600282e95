import { ComboField } from '../../base/components/Combobox';
import { Notice } from '../../base/components/States';
import { t } from '../../base/text';
import { AuthField } from '../connect/AuthField';
import { Expression } from '../fields/Expression';
import { Fields } from '../fields/Fields';
import { useScope } from '../fields/scope';
import { asksForAuth, emptyInput, lacking } from '../properties';
import type { Step } from '../steps';
import { Addresses } from './Addresses';
import { CodeSettings } from './CodeSettings';
import { NextRuns } from './NextRuns';
import { RouterEditor } from './RouterEditor';
import { useChange } from './StepScope';

export function Settings({ step }: { step: Step }) {
  switch (step.type) {
    case 'ROUTER':
      return <RouterEditor step={step} />;
    case 'LOOP_ON_ITEMS':
      return <LoopSettings step={step} />;
    case 'CODE':
      return <CodeSettings step={step} />;
    case 'EMPTY':
      return <Notice tone="blue">{t('builder.invalid.trigger')}</Notice>;
    default:
      return <PieceSettings step={step} />;
  }
}

function LoopSettings({ step }: { step: Step }) {
  const change = useChange();
  return (
    <Expression
      label={t('loop.items')}
      required
      value={step.settings.items ?? ''}
      onValue={(items) => change({ items })}
      help={t('loop.help')}
      problem={step.settings.items ? undefined : t('builder.invalid.loop')}
    />
  );
}

function PieceSettings({ step }: { step: Step }) {
  const { piece, operation, input } = useScope();
  const change = useChange();
  const isTrigger = step.type === 'PIECE_TRIGGER';
  const operations = Object.values((isTrigger ? piece?.triggers : piece?.actions) ?? {});
  const missing = operation ? lacking(operation.props, input) : [];
  const choose = (name: string): void => {
    const chosen = operations.find((each) => each.name === name);
    if (chosen) {
      change({
        ...(isTrigger ? { triggerName: name } : { actionName: name }),
        input: { ...emptyInput(chosen.props), ...(input['auth'] ? { auth: input['auth'] } : {}) },
        propertySettings: Object.fromEntries(
          Object.keys(chosen.props).map((key) => [key, { type: 'MANUAL' as const }]),
        ),
      });
    }
  };
  return (
    <>
      <ComboField
        field="operation"
        label={t(isTrigger ? 'panel.event' : 'panel.action')}
        value={operation?.name ?? ''}
        {...(operation ? {} : { empty: t('field.nothing') })}
        help={operation?.description}
        options={operations.map((each) => ({ value: each.name, label: each.displayName, about: each.description }))}
        onValue={choose}
      />
      {isTrigger && operation ? <Addresses operation={operation} /> : null}
      {piece && operation && asksForAuth(piece, operation) ? (
        <AuthField
          piece={piece}
          value={typeof input['auth'] === 'string' ? input['auth'] : ''}
          onValue={(auth) => change({ input: { ...input, auth } })}
        />
      ) : null}
      {operation ? (
        <Fields
          key={operation.name}
          props={operation.props}
          values={input}
          onValues={(values) => change({ input: values })}
        />
      ) : null}
      {isTrigger && operation && piece?.name === '@activepieces/piece-schedule' ? (
        <NextRuns trigger={operation.name} input={input} />
      ) : null}
      {missing.length > 0 ? (
        <Notice tone="amber">
          {t('panel.missing', { names: missing.map((name) => operation?.props[name]?.displayName ?? name).join(', ') })}
        </Notice>
      ) : null}
    </>
  );
}
