import { useState } from 'preact/hooks';
import type { Failure } from '../../../base/api/failure';
import { Button } from '../../../base/components/Button';
import { TextField } from '../../../base/components/Field';
import { Notice } from '../../../base/components/States';
import { say } from '../../../base/components/Toasts';
import { count, t, type TextKey } from '../../../base/text';
import { ChangeList } from './ChangeList';
import { hasValues, isComplete, keysOf, serverOf, type Choices, type Report, type Source } from './document';
import { OperationList } from './OperationList';
import { PagesFields } from './PagesFields';
import { ServerFields } from './ServerFields';
import { send, useReport } from './useDocument';

interface Props {
  source: Source;
  report: Report;
  first: Choices;
  before: string[] | undefined;
  back: () => void;
  close: () => void;
  changed: () => void;
}

/** Names of fields that have a control of their own. */
const SHOWN = /^(name|displayName|baseUrl|pagination\..*|serverVariables\..*|connectionVariables\..*)$/;

export function ReviewForm({ source, report: firstReport, first, before, back, close, changed }: Props) {
  const [choices, setChoices] = useState(first);
  const [isBusy, setIsBusy] = useState(false);
  const [refusal, setRefusal] = useState<Failure>();
  const { report, failure, isStale } = useReport(source, firstReport, choices);
  const put = (part: Partial<Choices>): void => setChoices((all) => ({ ...all, ...part }));
  const chosen = choices.operations ?? new Set(keysOf(firstReport.groups));
  const problem = refusal ?? failure;
  const fields = problem?.fields ?? {};
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    setIsBusy(true);
    const done = await send(source, choices, false);
    setIsBusy(false);
    setRefusal(done.ok ? undefined : done.failure);
    if (done.ok) {
      say(t('pieces.done', { name: done.value.displayName, version: done.value.version }));
      changed();
      close();
    }
  };
  const isUpgrade = report.previousVersion !== undefined;
  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <div class="body openapi-review">
        <div class="pair">
          <TextField
            label={t('openapi.displayName')}
            value={choices.displayName}
            onValue={(displayName) => put({ displayName })}
            problem={fields['displayName']}
            control={{ name: 'displayName', maxLength: 100 }}
          />
          <TextField
            label={t('openapi.name')}
            help={t('openapi.nameHelp')}
            value={choices.name}
            onValue={(name) => put({ name })}
            problem={fields['name']}
            control={{ name: 'name', maxLength: 64, spellcheck: false, readOnly: before !== undefined }}
          />
        </div>
        <ServerFields report={firstReport} newest={report} first={first} choices={choices} fields={fields} put={put} />
        <p>
          <span class="faint">{t('openapi.auth')}:</span>{' '}
          {report.authTypes.length === 0
            ? t('openapi.auth.none')
            : report.authTypes.map((type) => t(`openapi.auth.${type}` as TextKey)).join(', ')}
        </p>
        {isUpgrade ? <ChangeList report={report} /> : null}
        <OperationList
          groups={firstReport.groups}
          chosen={chosen}
          before={before}
          onChosen={(operations) => put({ operations })}
        />
        <PagesFields pages={choices.pages} fields={fields} onPages={(pages) => put({ pages })} />
        {report.gapCount > 0 ? (
          <details>
            <summary>{count('openapi.gaps', report.gapCount)}</summary>
            <ul class="openapi-gaps">
              {report.gaps.slice(0, 100).map((gap, at) => (
                <li key={at}>
                  <code>{gap.place}</code> {gap.message}
                </li>
              ))}
            </ul>
          </details>
        ) : null}
        {Object.entries(fields)
          .filter(([name]) => !SHOWN.test(name))
          .map(([name, told]) => (
            <Notice key={name} tone="red">{`${name}: ${told}`}</Notice>
          ))}
        {problem && Object.keys(fields).length === 0 ? <Notice failure={problem} /> : null}
      </div>
      <footer>
        <Button onClick={back}>{t('base.back')}</Button>
        <Button
          kind="primary"
          type="submit"
          busy={isBusy}
          disabled={
            chosen.size === 0 ||
            isStale ||
            !isComplete(choices.pages) ||
            !hasValues(serverOf(firstReport, first, choices), choices) ||
            report.unchanged
          }>
          {isUpgrade ? t('openapi.installVersion', { version: report.version }) : t('openapi.install')}
        </Button>
      </footer>
    </form>
  );
}
