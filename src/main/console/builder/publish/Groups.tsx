import { prefix } from '../../base/prefix';
import { count, t } from '../../base/text';
import { moment } from '../../base/time';
import { valueOf, type Example, type Group } from './redecision';

export function Groups({
  groups,
  projectId,
  title,
}: {
  groups: readonly Group[];
  projectId: string;
  title: (name: string) => string;
}) {
  return (
    <ol class="publish-groups" aria-label={t('publish.groupsTitle')}>
      {groups.map((group) => (
        <li key={`${group.kind} ${group.step ?? ''} ${group.reason ?? ''}`} data-kind={group.kind}>
          <p class="publish-group-head">
            <b>{t(`publish.kind.${group.kind}`)}</b>
            {group.step ? <span>{t('publish.at', { step: title(group.step) })}</span> : null}
            <span class="faint figures">{count('publish.runs', group.count)}</span>
          </p>
          {group.reason ? <p class="faint">{group.reason}</p> : null}
          {(group.examples ?? []).map((example) => (
            <ExampleView key={example.runId} example={example} projectId={projectId} />
          ))}
        </li>
      ))}
    </ol>
  );
}

/** The run opens in another tab: the dialog and the draft stay. */
function ExampleView({ example, projectId }: { example: Example; projectId: string }) {
  const isValue = example.before !== undefined || example.now !== undefined;
  return (
    <div class="publish-example">
      <a href={`${prefix}/projects/${projectId}/runs/${example.runId}`} target="_blank" rel="noopener">
        {moment(example.created)}
      </a>
      {isValue ? (
        <div class="publish-sides">
          <div>
            <span class="faint">{t('publish.before')}</span>
            <pre>{valueOf(example.before)}</pre>
          </div>
          <div>
            <span class="faint">{t('publish.now')}</span>
            <pre>{valueOf(example.now)}</pre>
          </div>
        </div>
      ) : null}
    </div>
  );
}
