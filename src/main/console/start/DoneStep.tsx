import { useState } from 'preact/hooks';
import { Button, LinkButton } from '../base/components/Button';
import { CopyButton } from '../base/components/CopyButton';
import { Notice } from '../base/components/States';
import { t } from '../base/text';
import { Gate } from './Gate';
import { attempt, curlOf, type Attempt, type Started } from './starters';

export function DoneStep({ started, projectId }: { started: Started; projectId: string }) {
  const [busy, setBusy] = useState(false);
  const [outcome, setOutcome] = useState<Attempt>();
  const tryIt = async (): Promise<void> => {
    setBusy(true);
    setOutcome(await attempt(started, projectId));
    setBusy(false);
  };
  const { kind } = started.starter;
  const lead =
    kind === 'schedule' ? t('start.done.schedule') : kind === 'form' ? t('start.done.form') : t('start.done.text');
  if (!started.published) {
    return (
      <Gate
        wide
        title={t('start.done.draft', { name: started.name })}
        text={t('start.done.draftText', { what: t('start.template.ai.needs') })}>
        <div class="actions">
          <LinkButton kind="primary" to={`/projects/${projectId}/flows/${started.flowId}`}>
            {t('start.done.open')}
          </LinkButton>
        </div>
      </Gate>
    );
  }
  return (
    <Gate wide title={t('start.done.title', { name: started.name })} text={lead}>
      {started.url ? (
        <div class="address">
          <code tabIndex={0}>{started.url}</code>
          <CopyButton text={started.url} />
        </div>
      ) : null}
      {started.url && started.starter.sample !== undefined ? (
        <div class="copyable">
          <code class="cut">{curlOf(started)}</code>
          <CopyButton text={curlOf(started)} />
        </div>
      ) : null}
      {outcome?.failure ? <Notice failure={outcome.failure} /> : null}
      {outcome && !outcome.failure ? (
        <section class="column" aria-live="polite">
          {started.starter.sample === undefined ? null : (
            <>
              <h3>{t('start.done.request')}</h3>
              <div class="answer" tabIndex={0}>
                <pre>{JSON.stringify(started.starter.sample, null, 2)}</pre>
              </div>
            </>
          )}
          <h3>{outcome.answer === undefined ? t('start.done.started') : t('start.done.answer')}</h3>
          {outcome.answer === undefined ? null : (
            <div class="answer" tabIndex={0} data-response>
              <pre>{outcome.answer}</pre>
            </div>
          )}
        </section>
      ) : null}
      <div class="actions">
        {kind === 'form' ? (
          <a class="button primary" href={started.url} target="_blank" rel="noopener">
            {t('start.done.form.open')}
          </a>
        ) : (
          <Button kind="primary" icon="play" busy={busy} onClick={() => tryIt()}>
            {t('start.done.try')}
          </Button>
        )}
        <LinkButton to={`/projects/${projectId}/flows/${started.flowId}`}>{t('start.done.open')}</LinkButton>
        <span class="spread" />
        <LinkButton kind="quiet" to={`/projects/${projectId}/flows`}>
          {t('start.done.all')}
        </LinkButton>
      </div>
    </Gate>
  );
}
