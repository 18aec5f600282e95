import { useEffect, useRef, useState } from 'preact/hooks';
import type { Failure } from '../../base/api/failure';
import { unique } from '../../base/unique';
import { wordsOf } from '../failureWords';
import { Icon } from '../Icon';
import type { Place } from '../place';
import { send, webhookOf, type Sending } from '../server';
import { t } from '../text';
import { InputField } from './InputField';
import { missingOf, parcelOf, problemsOf, type Input, type Value } from './inputs';
import { Progress } from './Progress';

interface Props {
  title: string;
  place: Place;
  /** True if the form shows the answer of the flow. */
  waits: boolean;
  inputs: readonly Input[];
  values: Record<string, Value>;
  onValue: (key: string, value: Value) => void;
  done: (body: unknown) => void;
}

/** After a failure the values stay. */
export function Fields({ title, place, waits, inputs, values, onValue, done }: Props) {
  const form = useRef<HTMLFormElement>(null);
  const sending = useRef<Sending | undefined>(undefined);
  const [share, setShare] = useState<number>();
  const [problems, setProblems] = useState<Record<string, string>>({});
  const [failure, setFailure] = useState<Failure>();
  // Only a submit moves the focus to the first problem, typing does not.
  const [attempts, setAttempts] = useState(0);
  useEffect(() => form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus(), [attempts]);
  useEffect(() => () => sending.current?.cancel(), []);

  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    // State changes render later: a second press before that must not send again.
    if (sending.current) {
      return;
    }
    setFailure(undefined);
    const missing = missingOf(inputs, values);
    setProblems(Object.fromEntries(missing.map((key) => [key, missingText(inputs, key)])));
    if (missing.length > 0) {
      setAttempts((before) => before + 1);
      return;
    }
    setShare(0);
    sending.current = send(webhookOf(place, waits), unique(), bodyOf(inputs, values), setShare);
    const result = await sending.current.answer;
    sending.current = undefined;
    setShare(undefined);
    if (result.ok) {
      done(result.value);
    } else {
      setProblems(problemsOf(result.failure, inputs, t('form.tooLarge'), values));
      setFailure(result.failure);
      setAttempts((before) => before + 1);
    }
  };
  const count = Object.keys(problems).length;
  return (
    <form class="column" ref={form} noValidate onSubmit={(event) => void submit(event)} aria-busy={share !== undefined}>
      <h1>{title}</h1>
      {inputs.length === 0 ? <p class="faint">{t('form.empty')}</p> : null}
      {inputs.map((input) => (
        <InputField
          key={input.key}
          input={input}
          value={values[input.key]}
          problem={problems[input.key]}
          disabled={share !== undefined}
          onValue={(value) => {
            onValue(input.key, value);
            setProblems(({ [input.key]: _, ...others }) => others);
          }}
        />
      ))}
      <div role="alert">
        {failure ? (
          <Refused failure={failure} />
        ) : count > 0 ? (
          <p class="problem">{count === 1 ? t('form.problems.one') : t('form.problems.other', { count })}</p>
        ) : null}
      </div>
      {share === undefined ? (
        <button class="button primary wide" type="submit">
          <Icon name="send" />
          {t('form.send')}
        </button>
      ) : (
        <Progress share={share} waits={waits} cancel={() => sending.current?.cancel()} />
      )}
    </form>
  );
}

const missingText = (inputs: readonly Input[], key: string): string =>
  t(inputs.find((input) => input.key === key)?.type === 'file' ? 'form.missingFile' : 'form.missing');

function bodyOf(inputs: readonly Input[], values: Record<string, Value>): FormData | object {
  const { files, fields } = parcelOf(inputs, values);
  if (!files) {
    return Object.fromEntries(fields);
  }
  const body = new FormData();
  fields.forEach(([key, value]) =>
    value instanceof File ? body.append(key, value, value.name) : body.append(key, String(value)),
  );
  return body;
}

function Refused({ failure }: { failure: Failure }) {
  return (
    <div class="notice tone-red">
      <Icon name="triangle-alert" />
      <div>
        {wordsOf(failure)}
        {failure.requestId ? <div class="request">{t('failure.request', { id: failure.requestId })}</div> : null}
      </div>
    </div>
  );
}
