{{- define "plumbline.name" -}}
{{- if contains "plumbline" .Release.Name }}{{ .Release.Name }}{{ else }}{{ .Release.Name }}-plumbline{{ end }}
{{- end }}

{{- define "plumbline.selector" -}}
app.kubernetes.io/name: plumbline
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "plumbline.labels" -}}
{{ include "plumbline.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end }}

{{- define "plumbline.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}

{{- define "plumbline.podSecurity" -}}
automountServiceAccountToken: false
enableServiceLinks: false
securityContext:
  runAsNonRoot: true
  runAsUser: 1000
  runAsGroup: 1000
  fsGroup: 1000
  seccompProfile:
    type: RuntimeDefault
{{- with .Values.imagePullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{- define "plumbline.containerSecurity" -}}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities:
    drop: [ALL]
volumeMounts:
  - name: data
    mountPath: /data
  - name: tmp
    mountPath: /tmp
{{- end }}

{{- define "plumbline.volumes" -}}
volumes:
  - name: data
    emptyDir:
      sizeLimit: 64Mi
  - name: tmp
    emptyDir:
      sizeLimit: 64Mi
{{- end }}

{{/* The template of pods. Takes root, component, roles (empty: all of them) and resources. */}}
{{- define "plumbline.pod" -}}
metadata:
  labels:
    {{- include "plumbline.selector" .root | nindent 4 }}
    app.kubernetes.io/component: {{ .component }}
  annotations:
    checksum/settings: {{ toYaml .root.Values.settings | sha256sum }}
spec:
  terminationGracePeriodSeconds: {{ .root.Values.terminationGracePeriodSeconds }}
  {{- include "plumbline.podSecurity" .root | nindent 2 }}
  {{- if .roles }}
  topologySpreadConstraints:
    {{- range $key := list "kubernetes.io/hostname" "topology.kubernetes.io/zone" }}
    - maxSkew: 1
      topologyKey: {{ $key }}
      whenUnsatisfiable: ScheduleAnyway
      labelSelector:
        matchLabels:
          {{- include "plumbline.selector" $.root | nindent 10 }}
          app.kubernetes.io/component: {{ $.component }}
    {{- end }}
  {{- end }}
  containers:
    - name: plumbline
      image: {{ include "plumbline.image" .root }}
      imagePullPolicy: {{ .root.Values.image.pullPolicy }}
      args: [serve]
      env:
        {{- range $key := list "DATABASE_URL" "PLUMBLINE_SECRET_KEY" }}
        - name: {{ $key }}
          valueFrom:
            secretKeyRef:
              name: {{ $.root.Values.secrets.name }}
              key: {{ $key }}
        {{- end }}
        {{- if .roles }}
        - name: PLUMBLINE_ROLES
          value: {{ .roles }}
        {{- end }}
      envFrom:
        - configMapRef:
            name: {{ include "plumbline.name" .root }}
        - secretRef:
            name: {{ .root.Values.secrets.name }}
      ports:
        - name: http
          containerPort: 3000
        - name: management
          containerPort: 9091
      startupProbe:
        httpGet:
          path: /livez
          port: management
        periodSeconds: 5
        timeoutSeconds: 3
        failureThreshold: 120
      readinessProbe:
        httpGet:
          path: /readyz
          port: management
        periodSeconds: 5
        timeoutSeconds: 4
        failureThreshold: 2
      livenessProbe:
        httpGet:
          path: /livez
          port: management
        periodSeconds: 10
        timeoutSeconds: 5
        failureThreshold: 6
      lifecycle:
        preStop:
          exec:
            command: [sleep, '10']
      resources:
        {{- toYaml .resources | nindent 8 }}
      {{- include "plumbline.containerSecurity" . | nindent 6 }}
  {{- include "plumbline.volumes" . | nindent 2 }}
{{- end }}
