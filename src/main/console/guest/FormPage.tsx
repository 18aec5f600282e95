import { useState } from 'preact/hooks';
import { Button } from '../base/components/Button';
import { Notice } from '../base/components/States';
import { t } from '../base/text';
import { answerOf, type Answer } from './answer';
import { AnswerView } from './AnswerView';
import { asJson, hasFiles, initial, keyOf, missing, webhookPath, type Input, type Value, type Values } from './form';
import { FormField } from './FormField';
import { send } from './send';

export interface Form {
  id: string;
  title: string;
  props: { inputs: Input[]; waitForResponse: boolean };
}

const given = new URLSearchParams(location.search);

function bodyOf(inputs: readonly Input[], values: Values): FormData | object {
  if (!hasFiles(inputs)) {
    return asJson(values);
  }
  const parts = new FormData();
  for (const [key, value] of Object.entries(values)) {
    if (value !== undefined) {
      parts.append(key, value instanceof File ? value : String(value));
    }
  }
  return parts;
}

/** A form, and what comes of it. */
export function FormPage({ form, draft }: { form: Form; draft: boolean }) {
  const { inputs, waitForResponse } = form.props;
  const [values, setValues] = useState<Values>(() => initial(inputs, (key) => given.get(key)));
  const [empty, setEmpty] = useState<string[]>([]);
  const [share, setShare] = useState<number>();
  const [problem, setProblem] = useState('');
  const [answer, setAnswer] = useState<Answer>();
  const change = (key: string, value: Value): void => {
    setValues((before) => ({ ...before, [key]: value }));
    setEmpty((before) => before.filter((each) => each !== key));
  };
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    const lacking = missing(inputs, values);
    setEmpty(lacking);
    if (lacking.length > 0) {
      document.querySelector<HTMLElement>(`[name="${CSS.escape(lacking[0]!)}"]`)?.focus();
      return;
    }
    setProblem('');
    setShare(0);
    const outcome = await send(webhookPath(form.id, draft, waitForResponse), bodyOf(inputs, values), setShare);
    setShare(undefined);
    if (outcome.ok) {
      setAnswer(answerOf(waitForResponse ? outcome.body : undefined, t('guest.file.unnamed')));
    } else {
      setProblem(outcome.words);
    }
  };
  const again = (): void => {
    setAnswer(undefined);
    setValues(initial(inputs, (key) => given.get(key)));
  };
  if (answer) {
    return <Sent answer={answer} again={again} />;
  }
  return (
    <form class="column" onSubmit={submit} noValidate aria-busy={share !== undefined}>
      {inputs.length === 0 ? <p class="faint">{t('guest.form.none')}</p> : null}
      {inputs.map((input) => {
        const key = keyOf(input.displayName);
        const words = input.type === 'file' ? t('guest.form.requiredFile') : t('guest.form.required');
        return <FormField key={key} input={input} name={key} value={values[key]} problem={empty.includes(key) ? words : undefined} onValue={(value) => change(key, value)} />;
      })}
      {problem ? <div role="alert"><Notice>{problem}</Notice></div> : null}
      <Button kind="primary" size="wide" type="submit" busy={share !== undefined}>{words(share, hasFiles(inputs))}</Button>
    </form>
  );
}

function words(share: number | undefined, uploads: boolean): string {
  return share === undefined ? t('guest.form.submit')
    : share < 1 && uploads ? t('guest.form.sending', { percent: Math.round(share * 100) })
    : t('guest.form.waiting');
}

function Sent({ answer, again }: { answer: Answer; again: () => void }) {
  return (
    <div class="column guest-sent" role="status">
      <h2>{answer.kind === 'nothing' ? t('guest.form.thanks') : t('guest.form.done')}</h2>
      {answer.kind === 'nothing' ? <p>{t('guest.form.sent')}</p> : <AnswerView answer={answer} />}
      <div><Button onClick={again}>{t('guest.form.again')}</Button></div>
    </div>
  );
}
