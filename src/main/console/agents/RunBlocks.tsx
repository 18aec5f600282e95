import { Icon } from '../base/components/Icon';
import { Notice, Badge } from '../base/components/States';
import { Facts } from '../base/components/Panel';
import { t } from '../base/text';
import { duration } from '../base/time';
import { JsonView } from '../runs/JsonView';
import { MarkdownView } from '../base/markdown/MarkdownView';
import { blocksOf, type Block, type Run } from './model';

/**
 * Turns of a run: texts of the agent and the tool calls, in order.
 *
 * @param asked whether the prompt is shown
 */
export function RunBlocks({ run, asked = true }: { run: Run; asked?: boolean }) {
  const blocks = blocksOf(run.result.steps);
  return (
    <div class="blocks">
      {asked ? (
        <div class="block asked">
          <Icon name="user" />
          <div class="block-words">
            <strong>{t('agents.asked')}</strong>
            <p>{run.result.prompt}</p>
          </div>
        </div>
      ) : null}
      {blocks.map((block, at) =>
        block.kind === 'remark' ? (
          <div key={at} class="block">
            <Icon name="info" />
            <span class="faint">{block.text}</span>
          </div>
        ) : block.kind === 'said' ? (
          <div key={at} class="block">
            <Icon name="bot" />
            <div class="block-words">
              <MarkdownView text={block.text} level={3} />
            </div>
          </div>
        ) : (
          <Called key={at} block={block} />
        ),
      )}
      {run.status === 'STREAMING' ? (
        <div class="block" role="status">
          <Icon name="loader-circle" spin />
          <span class="faint">{t('agents.thinking')}</span>
        </div>
      ) : null}
      {run.result.structuredOutput ? (
        <Facts
          facts={Object.entries(run.result.structuredOutput).map(
            ([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)] as const,
          )}
        />
      ) : null}
      {run.result.failure ? <Notice tone="red">{run.result.failure}</Notice> : null}
    </div>
  );
}

function Called({ block }: { block: Block & { kind: 'called' } }) {
  return (
    <details class="block called">
      <summary>
        <Icon name="wrench" />
        {block.about ? <strong class="cut">{block.about}</strong> : null}
        <code class={`faint cut${block.about ? ' wide-only' : ''}`}>{block.name}</code>
        <span class="spread" />
        {block.running ? (
          <Badge tone="blue" icon="loader-circle" spin>
            {t('agents.calling')}
          </Badge>
        ) : block.failed ? (
          <Badge tone="red" icon="circle-x">
            {t('agents.failed')}
          </Badge>
        ) : (
          <Badge tone="green" icon="circle-check">
            {t('agents.done')}
          </Badge>
        )}
        {block.tookMs === undefined ? null : <span class="faint figures">{duration(block.tookMs)}</span>}
      </summary>
      <h3>{t('agents.input')}</h3>
      <JsonView value={block.input} label={t('agents.input')} />
      {block.running ? null : (
        <>
          <h3>{t('agents.result')}</h3>
          <JsonView value={block.output} label={t('agents.result')} />
        </>
      )}
    </details>
  );
}
