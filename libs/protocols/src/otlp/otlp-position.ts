/** The position of the data point being read, for messages. */
export class OtlpPosition {
  private resource = -1;
  private scope = -1;
  private metric = -1;
  private point = -1;

  enterResource(): void {
    this.resource++;
    this.scope = -1;
    this.metric = -1;
    this.point = -1;
  }

  enterScope(): void {
    this.scope++;
    this.metric = -1;
    this.point = -1;
  }

  enterMetric(): void {
    this.metric++;
    this.point = -1;
  }

  enterPoint(): void {
    this.point++;
  }

  /** `resourceMetrics.0.scopeMetrics.0.metrics.2.dataPoints.5`, as far as it was entered; empty before. */
  get path(): string {
    return [
      ['resourceMetrics', this.resource],
      ['scopeMetrics', this.scope],
      ['metrics', this.metric],
      ['dataPoints', this.point],
    ]
      .flatMap(([name, index]) => (index === -1 ? [] : [`${name!}.${index!}`]))
      .join('.');
  }
}
