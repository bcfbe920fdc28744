@echo off
rem Starts the command pail on Windows, from a release: it needs a Java 17 or newer in JAVA_HOME or on the PATH.
setlocal
set "PAIL_HOME=%~dp0.."
set "PAIL_JAVA=java"
if defined JAVA_HOME set "PAIL_JAVA=%JAVA_HOME%\bin\java"
if exist "%PAIL_HOME%\runtime\bin\java.exe" set "PAIL_JAVA=%PAIL_HOME%\runtime\bin\java"
"%PAIL_JAVA%" -XX:TieredStopAtLevel=1 -Xshare:auto -Dfile.encoding=UTF-8 -Dsun.stdout.encoding=UTF-8 -Dpicocli.disable.closures=true "-Dpail.lib=%PAIL_HOME%\lib" -cp "%PAIL_HOME%\lib\*" dev.pail.cli.Main %*
exit /b %ERRORLEVEL%
