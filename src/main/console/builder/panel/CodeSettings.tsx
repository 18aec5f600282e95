import { Badge } from '../../base/components/States';
import { SelectField } from '../../base/components/Field';
import { useStore } from '../../base/store';
import { t } from '../../base/text';
import { useBuilder } from '../context';
import { partsOf } from '../data/references';
import { useResolver } from '../data/useResolver';
import { Code } from '../fields/Code';
import { Pairs } from '../fields/ObjectField';
import { errorOf } from '../../runs/errors';
import type { Step } from '../steps';
import { useChange } from './StepScope';

const TYPESCRIPT = 'export const code = async (inputs) => {\n  return { done: true };\n};\n';
const PYTHON = 'def code(inputs):\n    return {"done": True}\n';

export function CodeSettings({ step }: { step: Step }) {
  const change = useChange();
  const resolver = useResolver();
  const { tester } = useBuilder();
  const state = useStore(tester.store, (all) => all.get(step.name) ?? tester.of(step.name));
  const source = step.settings.sourceCode ?? { code: '', packageJson: '{}' };
  const input = step.settings.input ?? {};
  const error = state.phase === 'bad' && state.source === source.code ? errorOf(state.error ?? '') : undefined;
  const atLine = error?.line === undefined ? undefined : { line: error.line, message: error.message };
  const isPython = source.language === 'python';
  const choose = (language: string): void => {
    const { language: _, ...rest } = source;
    const isUntouched = source.code.trim() === '' || source.code === TYPESCRIPT || source.code === PYTHON;
    change({
      sourceCode: {
        ...rest,
        code: isUntouched ? (language === 'python' ? PYTHON : TYPESCRIPT) : source.code,
        ...(language === 'python' ? { language } : {}),
      },
    });
  };
  return (
    <>
      <Pairs
        startsWithRow
        label={t('code.inputs')}
        help={t('code.inputsHelp')}
        value={input}
        onValue={(value) => change({ input: value as Record<string, unknown> })}
      />
      <SelectField
        label={t('code.language')}
        value={isPython ? 'python' : 'typescript'}
        onValue={choose}
        options={[
          { value: 'typescript', label: t('code.language.typescript') },
          { value: 'python', label: t('code.language.python') },
        ]}
      />
      <div class="field">
        <div class="label">{t('code.source')}</div>
        <Code
          label={t('code.source')}
          language={isPython ? 'python' : 'javascript'}
          tall
          error={atLine}
          value={source.code}
          inputs={samplesOf(input, (token) => resolver.of(token).value)}
          onValue={(code) => change({ sourceCode: { ...source, code } })}
        />
        {atLine ? (
          <p class="problem-text" data-error-line>
            {t('code.failedAt', atLine)}
          </p>
        ) : null}
        <div class="help">{t(isPython ? 'code.helpPython' : 'code.help')}</div>
      </div>
      {state.console ? (
        <div class="field" data-console-output>
          <div class="label">
            {t('run.step.standardOutput')}{' '}
            {state.phase === 'bad' ? (
              <Badge tone="red" icon="circle-x">
                {t('run.status.FAILED')}
              </Badge>
            ) : null}
          </div>
          <pre class="console-text">{state.console}</pre>
        </div>
      ) : null}
      {isPython ? null : (
        <details>
          <summary>{t('code.packages')}</summary>
          <Code
            label={t('code.packages')}
            language="json"
            value={source.packageJson}
            onValue={(packageJson) => change({ sourceCode: { ...source, packageJson } })}
          />
        </details>
      )}
    </>
  );
}

/** Inputs with the sample of each that is a single reference; others as they are written. */
const samplesOf = (input: Record<string, unknown>, valueOf: (token: string) => unknown): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(input).map(([name, value]) => {
      const parts = typeof value === 'string' ? partsOf(value.trim()) : [];
      return [name, parts.length === 1 && parts[0]!.kind === 'token' ? (valueOf(parts[0]!.text) ?? '') : value];
    }),
  );
